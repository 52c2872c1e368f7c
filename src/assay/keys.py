"""Names of files and web addresses: hashes of words that a stranger may have chosen.

key_of("BM_copy/8", "real_time", "ns")      32 letters and digits
"""

import hashlib


def key_of(*words: str) -> str:
    """A hash of the words: 32 hexadecimal digits, the same for the same words only."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "backslashreplace")).hexdigest()[:32]
