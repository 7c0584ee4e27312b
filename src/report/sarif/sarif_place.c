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

#include "base/check.h"
#include "report/print/json.h"

void hd_sarif_message(FILE *out, const char *text)
{
    fputs("{\"text\": ", out);
    hd_json_string(out, text);
    fputc('}', out);
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
    FILE *out = open_memstream(&uri, &size);

    HD_INVARIANT(out != NULL, "out of memory");
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
    files->all = realloc(files->all, (files->n + 1) * sizeof *files->all);
    HD_INVARIANT(files->all != NULL, "out of memory");
    files->all[files->n] = (struct hd_sarif_file){ uri, relative };
    return files->n++;
}

static void put_file(FILE *out, const struct hd_sarif_file *f)
{
    fputs("\"uri\": ", out);
    hd_json_string(out, f->uri);
    if (f->relative)
        fputs(", \"uriBaseId\": \"SRCROOT\"", out);
}

void hd_sarif_artifact(FILE *out, struct hd_sarif_files *files, const char *path)
{
    unsigned i = index_of(files, path);

    fputc('{', out);
    put_file(out, &files->all[i]);
    fprintf(out, ", \"index\": %u}", i);
}

void hd_sarif_artifacts(FILE *out, const struct hd_sarif_files *files)
{
    fputs("[", out);
    for (unsigned i = 0; i < files->n; i++) {
        fputs(i > 0 ? ",\n    {\"location\": {" : "\n    {\"location\": {", out);
        put_file(out, &files->all[i]);
        fputs("}}", out);
    }
    fputs("]", out);
}

void hd_sarif_bases(FILE *out, const struct hd_sarif_files *files)
{
    char *uri = NULL;
    size_t size;
    FILE *text = open_memstream(&uri, &size);

    HD_INVARIANT(text != NULL, "out of memory");
    fputs("file://", text);
    put_path(text, files->root);
    fputs("/", text);
    fclose(text);
    fputs("{\"SRCROOT\": {\"uri\": ", out);
    hd_json_string(out, uri);
    fputs(", \"description\": {\"text\": \"The directory in which Heddle was started.\"}}}", out);
    free(uri);
}

/* ---- locations ---------------------------------------------------------------------------- */

static void put_function(FILE *out, const struct hd_frame *f)
{
    char name[600];

    if (strcmp(f->function, "?") != 0)
        snprintf(name, sizeof name, "%s", f->function);
    else
        snprintf(name, sizeof name, "%.400s+0x%llx", f->module, (unsigned long long)f->offset);
    fputs("\"logicalLocations\": [{\"name\": ", out);
    hd_json_string(out, name);
    fputs(", \"kind\": \"function\"}]", out);
}

void hd_sarif_location(FILE *out, struct hd_sarif_files *files, const struct hd_frame *f,
                       const char *message, int id)
{
    fputc('{', out);
    if (id >= 0)
        fprintf(out, "\"id\": %d, ", id);
    if (f->line > 0) {
        fputs("\"physicalLocation\": {\"artifactLocation\": ", out);
        hd_sarif_artifact(out, files, f->file);
        fprintf(out, ", \"region\": {\"startLine\": %d}}, ", f->line);
    }
    put_function(out, f);
    if (message != NULL) {
        fputs(", \"message\": ", out);
        hd_sarif_message(out, message);
    }
    fputc('}', out);
}
