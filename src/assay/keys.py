"""Names for files and addresses, made of words that may be hostile.

key_of("BM_copy/8", "real_time", "ns")      32 letters and digits
"""

import hashlib


def key_of(*words: str) -> str:
    """The same for the same words, and for no others."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "backslashreplace")).hexdigest()[:32]
