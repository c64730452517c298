// NVIDIA's headers as a library of the suite: what cuda_fp16.h and its like compute on the host.
//
// harness/third-party/nvidia.md says how to build it. Each function of the headers stands under the name
// of the variant that is documented to give the same.

#include "table.hpp"

#include "../../protocol/ptx_conformance.h"

#include <cuda_runtime_api.h>

static const Table &table() {
    static const Table entered = [] {
        Table table;
        enter_halves(table);
        enter_small(table);
        return table;
    }();
    return entered;
}

extern "C" {

uint32_t ptx_conformance_version(void) { return PTX_CONFORMANCE_VERSION; }

const char *ptx_conformance_name(void) {
    static const std::string name = "cuda-headers " + std::to_string(CUDART_VERSION / 1000) + "." +
                                    std::to_string(CUDART_VERSION % 1000 / 10);
    return name.c_str();
}

const char *ptx_conformance_supports(const char *variant) {
    return table().count(variant) ? nullptr : "the headers have no function for it on the host";
}

const char *ptx_conformance_run(const char *variant, size_t rows, const void *const *operands,
                                void *const *results) {
    table().at(variant)(rows, operands, results);
    return nullptr;
}

} // extern "C"
