/* Numbers of 16 bits, of compilers that have them. */

#include <stdint.h>
#include <string.h>

static inline _Float16 number16(uint64_t word) {
    uint16_t bits = (uint16_t)word;
    _Float16 number;
    memcpy(&number, &bits, 2);
    return number;
}

static inline uint64_t bits16(_Float16 number) {
    uint16_t bits;
    memcpy(&bits, &number, 2);
    return bits;
}
