// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the two fake libraries share. They play a node with NVIDIA cards, or a sick one, as the
// words in SLIPWAY_FAKE_GPU tell, separated by commas:
//   cards=2          how many there are (2)
//   driver=580.65.06 and cuda=13000: the versions
//   name=…           of the cards
//   hang=FUNCTION    it never returns; segv=, abort=, exit=FUNCTION: it ends the program so
//   refuse=802       cuInit returns it; nvmlrefuse=18: nvmlInit does
//   mig, ecc, throttle, exclusive, prohibited, nvlink, gen1, width8, others, capped, hot: a card
//   that is so liecount, lieuuid, liememory: the two libraries disagree wrong, launcherror=700,
//   jit=222: what it computes (fakecompute.c)

#pragma once

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/// What stands behind "word=", or "" where the word stands alone; NULL: it is not there.
static inline const char* told(const char* word)
{
    static char value[128];
    const char* all = getenv("SLIPWAY_FAKE_GPU");
    const size_t length = strlen(word);
    for (const char* at = all; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, word, length) != 0
            || (at[length] != '=' && at[length] != ',' && at[length] != '\0'))
            continue;
        const char* begin = at[length] == '=' ? at + length + 1 : "";
        const size_t size = *begin ? strcspn(begin, ",") : 0;
        snprintf(value, sizeof value, "%.*s", (int)size, begin);
        return value;
    }
    return NULL;
}

static inline int number(const char* word, int otherwise)
{
    const char* value = told(word);
    return value && *value ? atoi(value) : otherwise;
}

/// True where "word=function" is among the words, as often as the word may be there.
static inline int told_of(const char* word, const char* function)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s=%s", word, function);
    const char* all = getenv("SLIPWAY_FAKE_GPU");
    for (const char* at = all; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, wanted, strlen(wanted)) == 0
            && (at[strlen(wanted)] == ',' || at[strlen(wanted)] == '\0'))
            return 1;
    }
    return 0;
}

/// Each function says its name first: it may be the one that hangs or crashes.
static inline void enter(const char* function)
{
    if (told_of("segv", function) || told_of("abort", function)) {
        const int number_of_it = told_of("segv", function) ? SIGSEGV : SIGABRT;
        signal(number_of_it, SIG_DFL);
        raise(number_of_it);
    }
    if (told_of("exit", function))
        exit(3);
    while (told_of("hang", function))
        sleep(3600);
}

static inline int cards(void)
{
    return number("cards", 2);
}

static inline const char* card_name(void)
{
    const char* name = told("name");
    return name && *name ? name : "NVIDIA H100 80GB HBM3";
}

/// The card's UUID, and of the first part of a divided card.
static inline void uuid_bytes(unsigned char* bytes, int card, int part)
{
    for (int i = 0; i < 16; ++i)
        bytes[i] = (unsigned char)(0x11 * (card + 1));
    bytes[15] = (unsigned char)part;
}

static inline void uuid_text(char* text, const char* kind, int card, int part)
{
    unsigned char b[16];
    uuid_bytes(b, card, part);
    sprintf(text, "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", kind,
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]);
}

#define CARD_MEMORY 85899345920ull // 80 GiB
