"""HdrHistogram V2, compressed, in base64: the `histograms` of `schema/README.md`.

    merged_histogram([decode(text) for text in launches]).percentiles()
    encode(merged_histogram([decode(text) for text in repetitions]))

Written from the description of the format (hdrhistogram.org); the tests compare it with the
hdrhistogram package. A value is the highest of its bucket, as that library reports percentiles.
"""

import base64
import binascii
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from assay.errors import InputError

# The numbers ("cookies") with which a compressed and a plain HdrHistogram begin.
_COMPRESSED, _PLAIN = 0x1C849304, 0x1C849303
_WORD_BITS = 0xF0  # bits of the cookie that hold the word size, which V2 does not need
# HdrHistogram's header: cookie, payload length, offset, digits, lowest, highest, ratio.
_HEADER = struct.Struct(">iiiiqqd")
_MOST_POINTS = 240  # points of a percentile curve from share 1 down to 1e-7
_LARGEST = 1 << 24  # bytes of a histogram once unpacked, at most
_MOST_BUCKETS = 66  # more powers of two than a 64-bit value has
# Significant digits and largest value of the histograms that Assay writes.
_DIGITS, _HIGHEST_NS = 3, 3_600_000_000_000


class Histogram(msgspec.Struct, frozen=True):
    """How often each value was recorded: (value, count), values ascending, in the metric's unit."""

    counts: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """How many values were recorded."""
        return sum(count for _, count in self.counts)

    def percentiles(self) -> list[tuple[float, int]]:
        """Points (share of recordings at or above the value, value), from share 1 downwards, for a
        chart.

        Buckets whose shares differ too little to be seen on a chart are left out.
        """
        total, below = self.total, 0
        kept: list[tuple[float, int]] = []
        least_step = 1 - 10 ** (-7 / _MOST_POINTS)
        for value, count in self.counts:
            above = (total - below) / total
            if not kept or above < kept[-1][0] * (1 - least_step):
                kept.append((above, value))
            below += count
        if self.counts and kept[-1][1] != self.counts[-1][0]:
            kept.append((self.counts[-1][1] / total, self.counts[-1][0]))
        return kept


def decode(text: str, where: str = "") -> Histogram:
    """The histogram in a text; `where` names its place in messages.

    Raises `InputError` for anything that is no such histogram, or unpacks to more than 16 MiB.
    """
    try:
        data = base64.b64decode(text, validate=True)
        cookie, length = struct.unpack_from(">ii", data)
        if cookie & ~_WORD_BITS != _COMPRESSED:
            raise _error_for_histogram("is no compressed HdrHistogram V2", where)
        return _histogram(_unpacked(data[8 : 8 + length], where), where)
    except (binascii.Error, struct.error, zlib.error, IndexError) as error:
        raise _error_for_histogram(f"is cut short or damaged ({error})", where) from None


def encode(histogram: Histogram) -> str:
    """The histogram as base64 text, with three significant digits and a lowest value of 1."""
    payload, index = bytearray(), 0
    for value, count in histogram.counts:
        here = _index(value)
        if here > index:
            payload += _number(-(here - index) if here - index > 1 else 0)
        payload += _number(count)
        index = here + 1
    header = _HEADER.pack(_PLAIN | 0x10, len(payload), 0, _DIGITS, 1, _HIGHEST_NS, 1.0)
    packed = zlib.compress(header + payload)
    return base64.b64encode(struct.pack(">ii", _COMPRESSED | 0x10, len(packed)) + packed).decode()


def merged_histogram(histograms: Iterable[Histogram]) -> Histogram:
    """One histogram with the recordings of all given ones."""
    counts: Counter[int] = Counter()
    for histogram in histograms:
        for value, count in histogram.counts:
            counts[value] += count
    return Histogram(tuple(sorted(counts.items())))


def _unpacked(packed: bytes, where: str) -> bytes:
    """The histogram's bytes, unpacked up to a limit: a few packed bytes can become gigabytes."""
    unpacking = zlib.decompressobj()
    plain = unpacking.decompress(packed, _LARGEST)
    if unpacking.unconsumed_tail:
        raise _error_for_histogram(f"unpacks to more than {_LARGEST:,} bytes", where)
    if not unpacking.eof:  # what there is would pass for a histogram of fewer recordings
        raise zlib.error("its end is missing")
    return plain


def _histogram(data: bytes, where: str) -> Histogram:
    cookie, length, _, digits, lowest, _, ratio = _HEADER.unpack_from(data)
    if cookie & ~_WORD_BITS != _PLAIN or not 0 <= digits <= 5 or lowest < 1:
        raise _error_for_histogram("holds no HdrHistogram V2", where)
    if ratio != 1.0:
        raise _error_for_histogram("holds a histogram of fractions, which is not supported", where)
    payload = data[_HEADER.size : _HEADER.size + length]
    if len(payload) < length:
        raise IndexError("its last counts are missing")
    unit = lowest.bit_length() - 1
    half_bits = max((2 * 10**digits - 1).bit_length(), 1) - 1
    return Histogram(tuple(_bucket_counts(payload, half_bits, unit, _MOST_BUCKETS << half_bits)))


def _bucket_counts(
    payload: bytes, half_bits: int, unit: int, most: int
) -> Iterator[tuple[int, int]]:
    index = 0
    for number in _numbers(payload):
        if index >= most:
            raise IndexError("a value beyond 64 bits")
        if number < 0:  # stands for so many empty buckets
            index -= number
            continue
        if number:
            yield _highest_value(index, half_bits, unit), number
        index += 1


def _highest_value(index: int, half_bits: int, unit: int) -> int:
    """The highest value that falls into bucket `index`."""
    half = 1 << half_bits
    bucket, inner = (index >> half_bits) - 1, (index & (half - 1)) + half
    if bucket < 0:
        bucket, inner = 0, inner - half
    width = 1 << (bucket + unit)
    return inner * width + width - 1


def _index(value: int) -> int:
    """The bucket of `value`, with three digits and a lowest value of 1."""
    doublings = max(value.bit_length() - 11, 0)
    return (doublings << 10) + (value >> doublings)


def _number(value: int) -> bytes:
    """A number as a payload holds it: ZigZag LEB128."""
    rest = 2 * value if value >= 0 else -2 * value - 1
    encoded = bytearray()
    while rest > 0x7F and len(encoded) < 8:
        encoded.append(rest & 0x7F | 0x80)
        rest >>= 7
    encoded.append(rest)
    return bytes(encoded)


def _numbers(payload: bytes) -> Iterator[int]:
    """The numbers of a payload: ZigZag LEB128 of at most nine bytes, all 8 bits of the ninth."""
    at = 0
    while at < len(payload):
        value = 0
        for place in range(9):
            byte = payload[at]
            at += 1
            value |= (byte if place == 8 else byte & 0x7F) << (7 * place)
            if place < 8 and byte < 0x80:
                break
        yield (value >> 1) ^ -(value & 1)


def _error_for_histogram(what: str, where: str) -> InputError:
    return InputError(f"a histogram {what}", where=where, hint="measure again")
