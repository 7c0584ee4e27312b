/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif_place.c - source places for SARIF.  Files below the working directory have relative paths,
 * so that a result is valid in another checkout.  Other files (headers of the system) keep their
 * absolute paths. */
#include "report/sarif/sarif.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/vec.h"

void hd_sarif_message(struct hd_json *j, const char *key, const char *text)
{
    hd_json_put_object(j, key);
    hd_json_put_string(j, "text", text);
    hd_json_end(j);
}

/* ---- files ------------------------------------------------------------------------------- */

void hd_sarif_files_open(struct hd_sarif_files *files)
{
    memset(files, 0, sizeof *files);
    if (getcwd(files->root, sizeof files->root) == NULL || strcmp(files->root, "/") == 0)
        files->root[0] = '\0';
}

void hd_sarif_files_close(struct hd_sarif_files *files)
{
    for (unsigned i = 0; i < files->n; i++)
        free(files->all[i].uri);
    free(files->all);
}

/* Prints a path as part of a URI: escapes all characters that are not permitted there. */
static void put_path(FILE *out, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+@!,=";

    for (; *path != '\0'; path++)
        if (strchr(plain, *path) != NULL)
            fputc(*path, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*path);
}

static char *uri_of(const struct hd_sarif_files *files, const char *path, bool *relative)
{
    char real[PATH_MAX];
    const char *full = realpath(path, real) != NULL ? real : path;
    size_t n = strlen(files->root);
    char *uri = NULL;
    size_t size;
    FILE *out = hd_memory_stream(&uri, &size);

    *relative = full[0] != '/';
    if (n > 0 && strncmp(full, files->root, n) == 0 && full[n] == '/') {
        *relative = true;
        full += n + 1;
    }
    if (!*relative)
        fputs("file://", out);
    put_path(out, full);
    fclose(out);
    return uri;
}

static unsigned index_of(struct hd_sarif_files *files, const char *path)
{
    bool relative;
    char *uri = uri_of(files, path, &relative);

    for (unsigned i = 0; i < files->n; i++)
        if (strcmp(files->all[i].uri, uri) == 0) {
            free(uri);
            return i;
        }
    *HD_PUSH(files->all, files->n) = (struct hd_sarif_file){ uri, relative };
    return files->n - 1;
}

static void put_file(struct hd_json *j, const struct hd_sarif_file *f)
{
    hd_json_put_string(j, "uri", f->uri);
    if (f->relative)
        hd_json_put_string(j, "uriBaseId", "SRCROOT");
}

void hd_sarif_artifact(struct hd_json *j, struct hd_sarif_files *files, const char *path)
{
    unsigned i = index_of(files, path);

    hd_json_put_object(j, "artifactLocation");
    put_file(j, &files->all[i]);
    hd_json_put_uint(j, "index", i);
    hd_json_end(j);
}

void hd_sarif_artifacts(struct hd_json *j, const struct hd_sarif_files *files)
{
    hd_json_put_array(j, "artifacts");
    for (unsigned i = 0; i < files->n; i++) {
        hd_json_object(hd_json_line(j));
        hd_json_put_object(j, "location");
        put_file(j, &files->all[i]);
        hd_json_end(j);
        hd_json_end(j);
    }
    hd_json_end(j);
}

void hd_sarif_bases(struct hd_json *j, const struct hd_sarif_files *files)
{
    char *uri = NULL;
    size_t size;
    FILE *text = hd_memory_stream(&uri, &size);

    fputs("file://", text);
    put_path(text, files->root);
    fputs("/", text);
    fclose(text);
    hd_json_put_object(j, "originalUriBaseIds");
    hd_json_put_object(j, "SRCROOT");
    hd_json_put_string(j, "uri", uri);
    hd_sarif_message(j, "description", "The directory in which Heddle was started.");
    hd_json_end(j);
    hd_json_end(j);
    free(uri);
}

/* ---- locations ---------------------------------------------------------------------------- */

static void put_function(struct hd_json *j, const struct hd_frame *f)
{
    char name[600];

    if (strcmp(f->function, "?") != 0)
        snprintf(name, sizeof name, "%s", f->function);
    else
        snprintf(name, sizeof name, "%.400s+0x%llx", f->module, (unsigned long long)f->offset);
    hd_json_put_array(j, "logicalLocations");
    hd_json_object(j);
    hd_json_put_string(j, "name", name);
    hd_json_put_string(j, "kind", "function");
    hd_json_end(j);
    hd_json_end(j);
}

void hd_sarif_location(struct hd_json *j, struct hd_sarif_files *files, const struct hd_frame *f,
                       const char *message, int id)
{
    hd_json_object(j);
    if (id >= 0)
        hd_json_put_int(j, "id", id);
    if (f->line > 0) {
        hd_json_put_object(j, "physicalLocation");
        hd_sarif_artifact(j, files, f->file);
        hd_json_put_object(j, "region");
        hd_json_put_int(j, "startLine", f->line);
        hd_json_end(j);
        hd_json_end(j);
    }
    put_function(j, f);
    if (message != NULL)
        hd_sarif_message(j, "message", message);
    hd_json_end(j);
}
