/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filled.c - libc functions that write facts about the system, text or numbers to memory of the caller. */
#include "passive.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fnmatch.h>
#include <glob.h>
#include <grp.h>
#include <inttypes.h>
#include <mntent.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <uchar.h>
#include <wchar.h>

#define BUF passive_buf

int __gethostname_chk(char *to, size_t n, size_t room);
int __getdomainname_chk(char *to, size_t n, size_t room);
int __getlogin_r_chk(char *to, size_t n, size_t room);
int __ttyname_r_chk(int fd, char *to, size_t n, size_t room);
int __ptsname_r_chk(int fd, char *to, size_t n, size_t room);
size_t __confstr_chk(int name, char *to, size_t n, size_t room);
int __xpg_strerror_r(int error, char *to, size_t n);
char *__xpg_basename(char *s);
char *dirname(char *s);

/* Returns the result plus the first characters of the text, as one number. */
static long text(long result)
{
    return result * 65536 + BUF[0] + 256 * BUF[1];
}

static long wide(long long v, const wchar_t *end)
{
    return (long)v * 256 + (end != NULL ? *end : 0);
}

CALL(gethostname, return text(gethostname(BUF, 64));)
CALL(__gethostname_chk, return text(__gethostname_chk(BUF, 64, 64));)
CALL(getdomainname, return text(getdomainname(BUF, 64));)
CALL(__getdomainname_chk, return text(__getdomainname_chk(BUF, 64, 64));)
CALL(getlogin_r, return getlogin_r(BUF, 64) == 0;)
CALL(__getlogin_r_chk, return __getlogin_r_chk(BUF, 64, 64) == 0;)
CALL(ttyname_r, return ttyname_r(passive_file(), BUF, 64);)
CALL(__ttyname_r_chk, return __ttyname_r_chk(passive_file(), BUF, 64, 64);)
CALL(ptsname_r, return ptsname_r(passive_file(), BUF, 64);)
CALL(__ptsname_r_chk, return __ptsname_r_chk(passive_file(), BUF, 64, 64);)
CALL(confstr, return text((long)confstr(_CS_PATH, BUF, 64));)
CALL(__confstr_chk, return text((long)__confstr_chk(_CS_PATH, BUF, 64, 64));)
CALL(strerror_r, return strerror_r(5, BUF, 64)[0];)
CALL(__xpg_strerror_r, return text(__xpg_strerror_r(5, BUF, 64));)
CALL(getloadavg, double load[3]; return getloadavg(load, 3);)
CALL(tcgetattr, return tcgetattr(passive_file(), (void *)BUF);)
CALL(mincore, void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); return mincore(p, 4096, (void *)BUF);)
CALL(statvfs, struct statvfs s; return statvfs("/", &s) + (long)s.f_namemax;)
CALL(statvfs64, struct statvfs64 s; return statvfs64("/", &s) + (long)s.f_namemax;)
CALL(fstatvfs, struct statvfs s; return fstatvfs(passive_file(), &s) + (long)s.f_namemax;)
CALL(fstatvfs64, struct statvfs64 s; return fstatvfs64(passive_file(), &s) + (long)s.f_namemax;)
CALL(pthread_getcpuclockid, clockid_t c; return pthread_getcpuclockid(pthread_self(), &c);)
CALL(clock_getcpuclockid, clockid_t c; return clock_getcpuclockid(0, &c) * 1000L + c;)
CALL(glob, glob_t g; return glob("/", 0, NULL, &g) * 10 + (long)g.gl_pathc;)
CALL(glob64, glob64_t g; return glob64("/", 0, NULL, &g) * 10 + (long)g.gl_pathc;)
CALL(scandir, struct dirent **list; return scandir("/", &list, NULL, alphasort) > 2 && list[0]->d_name[0] == '.';)
CALL(scandir64, struct dirent64 **list; return scandir64("/", &list, NULL, alphasort64) > 2 && list[0]->d_name[0] == '.';)
CALL(getmntent_r, struct mntent m; FILE *f = setmntent("/proc/mounts", "r"); return getmntent_r(f, &m, BUF, 4096) != NULL;)
CALL(inet_addr, return (long)inet_addr("1.2.3.4");)
CALL(inet_network, return (long)inet_network("1.2.3.4");)
CALL(inet_aton, struct in_addr a; return inet_aton("1.2.3.4", &a) + (long)a.s_addr;)
CALL(getnameinfo, struct sockaddr_in a = { .sin_family = AF_INET };
     return text(getnameinfo((void *)&a, sizeof a, BUF, 64, NULL, 0, NI_NUMERICHOST));)
CALL(getaddrinfo, struct addrinfo *a = NULL, h = { .ai_flags = AI_NUMERICHOST };
     return getaddrinfo("1.2.3.4", NULL, &h, &a) * 10 + (a != NULL);)
CALL(getpwnam_r, struct passwd p, *found; return getpwnam_r("root", &p, BUF, 4096, &found) + (long)p.pw_uid;)
CALL(getpwuid_r, struct passwd p, *found; return getpwuid_r(0, &p, BUF, 4096, &found) + p.pw_name[0];)
CALL(getgrnam_r, struct group g, *found; return getgrnam_r("root", &g, BUF, 4096, &found) + (long)g.gr_gid;)
CALL(getgrgid_r, struct group g, *found; return getgrgid_r(0, &g, BUF, 4096, &found) + g.gr_name[0];)
CALL(hcreate_r, struct hsearch_data t = { 0 }; return hcreate_r(5, &t);)
CALL(hsearch_r, struct hsearch_data t = { 0 }; ENTRY *e; hcreate_r(5, &t);
     return hsearch_r((ENTRY){ "a", NULL }, ENTER, &e, &t) * 1000L + e->key[0];)
CALL(c16rtomb, return text((long)c16rtomb(BUF, u'a', NULL));)
CALL(c32rtomb, return text((long)c32rtomb(BUF, U'a', NULL));)
CALL(mbrtoc16, char16_t c; return (long)mbrtoc16(&c, "abc", 3, NULL) * 1000 + c;)
CALL(mbrtoc32, char32_t c; return (long)mbrtoc32(&c, "abc", 3, NULL) * 1000 + c;)
CALL(mblen, return mblen("abc", 3);)
CALL(mbrlen, return (long)mbrlen("abc", 3, NULL);)
CALL(ecvt_r, int point, sign; return text(ecvt_r(1.5, 3, &point, &sign, BUF, 20) + point);)
CALL(fcvt_r, int point, sign; return text(fcvt_r(1.5, 3, &point, &sign, BUF, 20) + point);)
CALL(strfromd, return text(strfromd(BUF, 10, "%.1f", 1.5));)
CALL(strfromf, return text(strfromf(BUF, 10, "%.1f", 1.5f));)
CALL(strfroml, return text(strfroml(BUF, 10, "%.1f", 1.5L));)
CALL(strverscmp, return strverscmp("a9", "a10") < 0;)
CALL(fnmatch, return fnmatch("a*", "abc", 0);)
CALL(basename, return basename("/a/b")[0];)
CALL(__xpg_basename, return __xpg_basename(strcpy(BUF, "/a/b"))[0];)
CALL(dirname, return dirname(strcpy(BUF, "/a/b"))[1];)
CALL(a64l, return a64l("a");)
CALL(rpmatch, return rpmatch("yes");)
CALL(wcstol, wchar_t *end; long v = wcstol(L"12x", &end, 10); return wide(v, end);)
CALL(wcstoul, wchar_t *end; long v = (long)wcstoul(L"12x", &end, 10); return wide(v, end);)
CALL(wcstoll, wchar_t *end; long long v = wcstoll(L"12x", &end, 10); return wide(v, end);)
CALL(wcstoull, wchar_t *end; long long v = (long long)wcstoull(L"12x", &end, 10); return wide(v, end);)
CALL(wcstoimax, wchar_t *end; intmax_t v = wcstoimax(L"12x", &end, 10); return wide(v, end);)
CALL(wcstoumax, wchar_t *end; intmax_t v = (intmax_t)wcstoumax(L"12x", &end, 10); return wide(v, end);)
CALL(wcstof, wchar_t *end; float v = wcstof(L"12x", &end); return wide((long)v, end);)
CALL(wcstod, wchar_t *end; double v = wcstod(L"12x", &end); return wide((long)v, end);)
CALL(wcstold, wchar_t *end; long double v = wcstold(L"12x", &end); return wide((long)v, end);)
CALL(strtoimax, char *end; long v = (long)strtoimax("12x", &end, 10); return v * 256 + *end;)
CALL(strtoumax, char *end; long v = (long)strtoumax("12x", &end, 10); return v * 256 + *end;)
CALL(wcsftime, struct tm t = { .tm_year = 101, .tm_mday = 1 }; wchar_t to[20];
     return (long)wcsftime(to, 20, L"%Y", &t) * 256 + to[3];)
