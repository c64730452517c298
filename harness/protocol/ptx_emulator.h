/* An emulator of PTX as a shared library, for `--impl ptx:LIBRARY.so`.
 *
 * harness/protocol/emulators.md says what the kernels are. The suite loads the library in processes of
 * its own, each with one thread, and calls the two functions below. What a kernel needs beyond them, its
 * memory and its launch, is the library's business. */
#ifndef PTX_EMULATOR_H
#define PTX_EMULATOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a module of PTX, a text that ends in a zero byte, and finds the kernel of this name in it.
 * Returns whatever stands for the kernel, or null if the emulator does not take it. The kernel before is
 * needed no more. */
void *ptx_emulator_load(const char *ptx, const char *entry);

/* Runs a kernel on `rows` rows, 1 to 65536, a thread each. Its parameters are the addresses of `columns`
 * columns, in order, and `rows` as 32 bits. column[i] points to `rows` numbers of width[i] bytes each, 1,
 * 2, 4 or 8, aligned to 8 bytes. The columns of results come first; what the kernel does not write has to
 * stay as it is. Returns 0, or another number if it fails. */
int ptx_emulator_run(void *kernel, size_t rows, size_t columns, void *const *column, const size_t *width);

/* May be exported: the emulator's name and its version, such as "mine 1.2". */
const char *ptx_emulator_name(void);

/* May be exported: why the last call failed, in a line, or null. */
const char *ptx_emulator_error(void);

#ifdef __cplusplus
}
#endif

#endif
