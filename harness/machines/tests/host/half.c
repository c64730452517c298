/* Whether the C compiler has numbers of 16 bits, and what converts them. */

#include "half.h"

int main(int count, char **words) {
    (void)words;
    double number = (double)number16((uint64_t)count);
    return (int)bits16((_Float16)(number + count)) & 1;
}
