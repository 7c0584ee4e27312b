// SPDX-License-Identifier: BSD-2-Clause
//
// input.cc - functions of the C++ library that read from a stream or convert, called by their names in the library.
#include "passive.h"

#include <charconv>
#include <cstring>
#include <istream>
#include <sstream>
#include <string>

// A function that reads a T: once with success, once where there is nothing to read, and once where it throws.
template <class T> static long tried(std::istream &(*read)(std::istream &, T &), const char *text)
{
    std::istringstream good(text), bad(""), throws("");
    T to{};
    long caught = 0;

    read(good, to);
    long n = (long)to + 10 * (bool)good;
    read(bad, to);
    n += 100 * (bool)bad;
    throws.exceptions(std::ios::failbit);
    try {
        read(throws, to);
    } catch (const std::ios::failure &) {
        caught = 1000;
    }
    return n + caught;
}

#define READS(name, T, text)                            \
    extern "C" std::istream &name(std::istream &, T &); \
    CALL(name, return tried<T>(name, text);)

READS(_ZNSi10_M_extractIbEERSiRT_, bool, "1 ")
READS(_ZNSi10_M_extractItEERSiRT_, unsigned short, "12 ")
READS(_ZNSi10_M_extractIjEERSiRT_, unsigned, "13 ")
READS(_ZNSi10_M_extractIlEERSiRT_, long, "14 ")
READS(_ZNSi10_M_extractImEERSiRT_, unsigned long, "15 ")
READS(_ZNSi10_M_extractIxEERSiRT_, long long, "16 ")
READS(_ZNSi10_M_extractIyEERSiRT_, unsigned long long, "17 ")
READS(_ZNSi10_M_extractIfEERSiRT_, float, "18.5 ")
READS(_ZNSi10_M_extractIdEERSiRT_, double, "19.5 ")
READS(_ZNSi10_M_extractIeEERSiRT_, long double, "20.5 ")
READS(_ZNSi10_M_extractIPvEERSiRT_, void *, "0x21 ")
READS(_ZNSirsERb, bool, "1 ")
READS(_ZNSirsERs, short, "22 ")
READS(_ZNSirsERt, unsigned short, "23 ")
READS(_ZNSirsERi, int, "24 ")
READS(_ZNSirsERj, unsigned, "25 ")
READS(_ZNSirsERl, long, "26 ")
READS(_ZNSirsERm, unsigned long, "27 ")
READS(_ZNSirsERx, long long, "28 ")
READS(_ZNSirsERy, unsigned long long, "29 ")
READS(_ZNSirsERf, float, "30.5 ")
READS(_ZNSirsERd, double, "31.5 ")
READS(_ZNSirsERe, long double, "32.5 ")
READS(_ZNSirsERPv, void *, "0x33 ")
READS(_ZNSi3getERc, char, "a")
READS(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_, char, "b")
READS(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Ra, signed char, "c")
READS(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Rh, unsigned char, "d")

// Functions that fill a buffer, which is then summed up.
static long sum(const char *s, size_t n)
{
    long total = 0;

    for (size_t i = 0; i < n; i++)
        total = 3 * total + s[i];
    return total % 10007;
}

#define FILLS(name, result, params, args, text) \
    extern "C" result name params;              \
    CALL(name, std::istringstream i(text); char to[20] = ""; name args; return sum(to, sizeof to);)

FILLS(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_PS3_, std::istream &, (std::istream &, char *), (i, to), "one two")
FILLS(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Pa, std::istream &, (std::istream &, char *), (i, to), "three four")
FILLS(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Ph, std::istream &, (std::istream &, char *), (i, to), "five six")
FILLS(_ZSt17__istream_extractRSiPcl, void, (std::istream &, char *, long), (i, to, 5), "seven eight")
FILLS(_ZNSi4readEPcl, std::istream &, (std::istream &, char *, long), (i, to, 5), "nine ten")
FILLS(_ZNSi3getEPcl, std::istream &, (std::istream &, char *, long), (i, to, 20), "a line\nb")
FILLS(_ZNSi3getEPclc, std::istream &, (std::istream &, char *, long, int), (i, to, 20, ';'), "c;d")
FILLS(_ZNSi7getlineEPcl, std::istream &, (std::istream &, char *, long), (i, to, 20), "a line\nb")
FILLS(_ZNSi7getlineEPclc, std::istream &, (std::istream &, char *, long, int), (i, to, 20, ';'), "e;f")
FILLS(_ZNSi8readsomeEPcl, long, (std::istream &, char *, long), (i, to, 5), "eleven")

// Lines and words, short ones and long ones.
#define INTO_STRING(name, T, params, args, text)                 \
    extern "C" std::basic_istream<T> &name params;               \
    CALL(name, std::basic_istringstream<T> i(text); std::basic_string<T> to; long n = 0; \
         while (name args) n = 7 * n + (long)to.size() + to[0]; return n;)

INTO_STRING(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE, char,
            (std::istream &, std::string &), (i, to), "ab\nand a line that is longer than sixteen letters\n")
INTO_STRING(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_, char,
            (std::istream &, std::string &, int), (i, to, ';'), "ab;and a part that is longer than sixteen letters")
INTO_STRING(_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE, char,
            (std::istream &, std::string &), (i, to), "ab cd a-word-that-is-longer-than-sixteen-letters")
INTO_STRING(_ZSt7getlineIwSt11char_traitsIwESaIwEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE, wchar_t,
            (std::wistream &, std::wstring &), (i, to), L"ab\nand a line that is longer than sixteen letters\n")
INTO_STRING(_ZSt7getlineIwSt11char_traitsIwESaIwEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_, wchar_t,
            (std::wistream &, std::wstring &, wchar_t), (i, to, L';'), L"ab;and a part that is longer than sixteen letters")
INTO_STRING(_ZStrsIwSt11char_traitsIwESaIwEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE, wchar_t,
            (std::wistream &, std::wstring &), (i, to), L"ab cd a-word-that-is-longer-than-sixteen-letters")

// Numbers from text and back.
#define FROM(name, T)                                                                                   \
    extern "C" std::from_chars_result name(const char *, const char *, T &, std::chars_format);         \
    CALL(name, T x = 0; const char s[] = "12.5x"; auto r = name(s, s + 5, x, std::chars_format::general); \
         return (long)(2 * x) + 100 * (r.ptr - s);)

FROM(_ZSt10from_charsPKcS0_RdSt12chars_format, double)
FROM(_ZSt10from_charsPKcS0_ReSt12chars_format, long double)
FROM(_ZSt10from_charsPKcS0_RfSt12chars_format, float)

#define TO(name, params, args)                        \
    extern "C" std::to_chars_result name params;      \
    CALL(name, char s[20] = ""; auto r = name args; return sum(s, sizeof s) + 10007 * (r.ptr - s);)

TO(_ZSt8to_charsPcS_d, (char *, char *, double), (s, s + 20, 1.25))
TO(_ZSt8to_charsPcS_dSt12chars_format, (char *, char *, double, std::chars_format), (s, s + 20, 2.25, std::chars_format::fixed))
TO(_ZSt8to_charsPcS_dSt12chars_formati, (char *, char *, double, std::chars_format, int), (s, s + 20, 3.25, std::chars_format::fixed, 3))
TO(_ZSt8to_charsPcS_e, (char *, char *, long double), (s, s + 20, 4.25L))
TO(_ZSt8to_charsPcS_eSt12chars_format, (char *, char *, long double, std::chars_format), (s, s + 20, 5.25L, std::chars_format::fixed))
TO(_ZSt8to_charsPcS_eSt12chars_formati, (char *, char *, long double, std::chars_format, int),
   (s, s + 20, 6.25L, std::chars_format::fixed, 3))
TO(_ZSt8to_charsPcS_f, (char *, char *, float), (s, s + 20, 7.25f))
TO(_ZSt8to_charsPcS_fSt12chars_format, (char *, char *, float, std::chars_format), (s, s + 20, 8.25f, std::chars_format::fixed))
TO(_ZSt8to_charsPcS_fSt12chars_formati, (char *, char *, float, std::chars_format, int),
   (s, s + 20, 9.25f, std::chars_format::fixed, 3))
