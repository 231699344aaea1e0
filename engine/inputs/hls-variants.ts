// The variants of an HLS master playlist (RFC 8216, 4.3.4.2).

/** The attributes of a variant. */
const VARIANT = /^#EXT-X-STREAM-INF:(.*)$/gm
const RESOLUTION = /(?:^|,)RESOLUTION=(\d+)x(\d+)/
const BANDWIDTH = /(?:^|,)BANDWIDTH=(\d+)/

/**
 * Index of the variant with the largest picture, of equal ones that with the highest bit rate, as ffmpeg chooses it. 0
 * for the playlist of a single variant.
 */
export function bestVariant(playlist: string): number {
  const variants = [...playlist.matchAll(VARIANT)].map(([, attributes = ''], index) => {
    const [, width, height] = RESOLUTION.exec(attributes) ?? []
    return { index, size: Number(width ?? 0) * Number(height ?? 0), rate: Number(BANDWIDTH.exec(attributes)?.[1] ?? 0) }
  })
  const [best] = variants.sort((a, b) => b.size - a.size || b.rate - a.rate)
  return best?.index ?? 0
}
