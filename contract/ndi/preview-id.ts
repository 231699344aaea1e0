// Preview ids of NDI sources (docs/wire.md, "Previews"): `NDI-` and the NDI name in percent-encoding, or in place of
// the name the URL of a preset, for a source that is searched elsewhere than where the settings of the hub say.

const PREFIX = 'NDI-'
/** Characters of an id, so that the headers of a part fit the 1024 bytes that consoles search. */
const ID_MAX = 768

/**
 * The preview id of an NDI source; undefined if the name is too long for one.
 * @param source NDI name, `MACHINE (Source)`, or the URL of a preset
 */
export function ndiPreviewId(source: string): string | undefined {
  const id = PREFIX + encodeURIComponent(source)
  return source === '' || id.length > ID_MAX ? undefined : id
}

/** The NDI name, or the URL of a preset, that a preview id names; undefined for other ids. */
export function ndiSourceOfPreview(id: string): string | undefined {
  if (!id.startsWith(PREFIX)) return undefined
  try {
    const source = decodeURIComponent(id.slice(PREFIX.length))
    // Only one id stands for a source.
    return ndiPreviewId(source) === id ? source : undefined
  } catch {
    return undefined
  }
}
