/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_results.c - functions whose result lies in memory of libc. */
#include "passive.h"

#include <fstab.h>
#include <getopt.h>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <pwd.h>
#include <search.h>
#include <shadow.h>
#include <sys/socket.h>
#include <utmpx.h>

char *re_comp(const char *pattern);
int re_exec(const char *text);
const unsigned *__x86_get_cpuid_feature_leaf(unsigned leaf);
int __posix_getopt(int argc, char *const argv[], const char *options);

static char *arguments[] = { "program", "-a", "--bee", NULL };
static const struct option options[] = { { "bee", no_argument, NULL, 'b' }, { NULL, 0, NULL, 0 } };

static long length(const char *s)
{
    return s != NULL ? (long)strlen(s) : -1;
}

CALL(gmtime, time_t t = 86400; return gmtime(&t)->tm_mday;)
CALL(localtime, time_t t = 86400 * 40; return localtime(&t)->tm_year;)
CALL(asctime, struct tm t = { .tm_year = 70, .tm_mday = 2 }; return asctime(&t)[0];)
CALL(ctime, time_t t = 86400 * 9; return ctime(&t)[0];)
CALL(ecvt, int point, sign; return atol(ecvt(12.5, 3, &point, &sign)) + point;)
CALL(fcvt, int point, sign; return atol(fcvt(12.5, 1, &point, &sign)) + point;)
CALL(qecvt, int point, sign; return atol(qecvt(12.5L, 3, &point, &sign)) + point;)
CALL(qfcvt, int point, sign; return atol(qfcvt(12.5L, 1, &point, &sign)) + point;)
CALL(l64a, return l64a(99)[0];)
CALL(ether_ntoa, struct ether_addr a = { { 1, 2, 3, 4, 5, 6 } }; return ether_ntoa(&a)[0];)
CALL(ether_aton, return ether_aton("1:2:3:4:5:6")->ether_addr_octet[2];)
CALL(ptsname, return ptsname(passive_file()) == NULL;)
CALL(ttyname, return ttyname(passive_file()) == NULL;)
CALL(getlogin, return length(getlogin());)
CALL(tmpnam, return length(tmpnam(NULL));)
CALL(getspnam, struct spwd *p = getspnam("root"); return p != NULL ? p->sp_namp[0] : -1;)
CALL(getspent, struct spwd *p = getspent(); return p != NULL ? p->sp_namp[0] : -1;)
CALL(getfsent, return getfsent() != NULL;)
CALL(getfsfile, return getfsfile("/none") != NULL;)
CALL(getfsspec, return getfsspec("/none") != NULL;)
CALL(re_comp, return re_comp("a") == NULL;)
CALL(re_exec, re_comp("a"); return re_exec("bab");)
CALL(getservent, return getservent() != NULL;)
CALL(getprotoent, return getprotoent() != NULL;)
CALL(gethostent, return gethostent() != NULL;)
CALL(getnetent, return getnetent() != NULL;)
CALL(getnetbyname, return getnetbyname("none.none") != NULL;)
CALL(getutxent, return getutxent() != NULL;)
CALL(getutxid, struct utmpx u = { .ut_type = RUN_LVL }; return getutxid(&u) != NULL;)
CALL(getutxline, struct utmpx u = { .ut_line = "none" }; return getutxline(&u) != NULL;)
CALL(getpwnam, struct passwd *p = getpwnam("root"); return p != NULL ? (long)p->pw_uid : -1;)
CALL(getpwuid, struct passwd *p = getpwuid(0); return p != NULL ? length(p->pw_name) : -1;)
CALL(getpwent, struct passwd *p = getpwent(); return p != NULL ? length(p->pw_name) : -1;)
CALL(getgrnam, struct group *g = getgrnam("root"); return g != NULL ? (long)g->gr_gid : -1;)
CALL(getgrgid, struct group *g = getgrgid(0); return g != NULL ? length(g->gr_name) : -1;)
CALL(getgrent, struct group *g = getgrent(); return g != NULL ? length(g->gr_name) : -1;)
CALL(getservbyname, struct servent *s = getservbyname("ssh", "tcp"); return s != NULL ? s->s_port : -1;)
CALL(getservbyport, struct servent *s = getservbyport(htons(22), "tcp"); return s != NULL ? length(s->s_name) : -1;)
CALL(getprotobyname, struct protoent *p = getprotobyname("tcp"); return p != NULL ? p->p_proto : -1;)
CALL(getprotobynumber, struct protoent *p = getprotobynumber(6); return p != NULL ? length(p->p_name) : -1;)
CALL(gethostbyname, struct hostent *h = gethostbyname("127.0.0.1"); return h != NULL ? h->h_length : -1;)
CALL(gethostbyname2, struct hostent *h = gethostbyname2("127.0.0.1", AF_INET); return h != NULL ? h->h_length : -1;)
CALL(gethostbyaddr, struct in_addr a = { 0 }; struct hostent *h = gethostbyaddr(&a, 0, AF_INET); return h == NULL;)
CALL(getmntent, return getmntent(passive_stream()) != NULL;)
CALL(getopt, return getopt(2, arguments, "a") + optind;)
CALL(__posix_getopt, return __posix_getopt(2, arguments, "a") + optind;)
CALL(getopt_long, return getopt_long(3, arguments, "a", options, NULL) + optind;)
CALL(getopt_long_only, return getopt_long_only(3, arguments, "a", options, NULL) + optind;)
CALL(__x86_get_cpuid_feature_leaf, return __x86_get_cpuid_feature_leaf(1)[1]; /* ebx of leaf 7 */)
CALL(hcreate, return hcreate(9);)
CALL(hdestroy, hdestroy(); return 0;)
CALL(hsearch, hcreate(9); return hsearch((ENTRY){ .key = "a", .data = NULL }, ENTER) != NULL;)
CALL(getdate, return getdate("x") == NULL;)
CALL(tzset, tzset(); return timezone;)
