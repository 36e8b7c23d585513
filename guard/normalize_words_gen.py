#!/usr/bin/env python3
"""Writes normalize_words.bloom: which words are English.

usage: normalize_words_gen.py /usr/share/dict/american-english-small > normalize_words.bloom

The list is SCOWL's (Debian package wamerican-small 2020.12.07), Copyright
2000-2011 by Kevin Atkinson: permission to use, copy, modify, distribute and
sell these word lists, the associated scripts, the output created from the
scripts, and its documentation for any purpose is hereby granted without fee.
A Bloom filter of 2^19 bits with 7 probes holds it: one word in about a thousand
that is not English passes for it.
"""
import sys

BITS, PROBES, MASK = 1 << 19, 7, (1 << 64) - 1


def fnv1a(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = ((h ^ b) * 0x100000001B3) & MASK
    return h


def main():
    bits = bytearray(BITS // 8)
    words = set()
    for line in open(sys.argv[1], encoding="utf-8"):
        w = line.strip().lower().split("'")[0]
        if len(w) > 1 and w.isascii() and w.isalpha():
            words.add(w)
    for w in words:
        h = fnv1a(w.encode())
        a, b = h & 0xFFFFFFFF, h >> 32 | 1
        for i in range(PROBES):
            at = (a + i * b) % BITS
            bits[at >> 3] |= 1 << (at & 7)
    sys.stdout.buffer.write(bytes(bits))
    sys.stderr.write("%d words, %.3f of the bits set\n" % (len(words), sum(bin(x).count("1") for x in bits) / BITS))


main()
