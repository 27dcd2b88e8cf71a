/* The system's zlib. Its macros are functions here, because Swift does not import macros with
   arguments. */
#include <zlib.h>

/* These begin to decompress or to compress raw deflate data. It has no header and no checksum, as
   in zip files. */
static inline int sonde_inflate_begin(z_stream *stream) {
  return inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, (int)sizeof(z_stream));
}

static inline int sonde_deflate_begin(z_stream *stream) {
  return deflateInit2_(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                       Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof(z_stream));
}
