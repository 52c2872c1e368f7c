#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t checksum(const unsigned char* bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
