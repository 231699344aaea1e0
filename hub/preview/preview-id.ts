// Preview IDs: `CHANNEL-<channel id>`, `INPUT-<input id>` and `DEV-<serial number>` (docs/wire.md, Previews). Those of
// NDI sources are in contract/ndi/preview-id.ts.

/** The channel that a preview ID names; undefined for other IDs. */
export function channelOfPreview(id: string): number | undefined {
  const [, channel] = /^CHANNEL-(\d{1,15})$/.exec(id) ?? []
  return channel === undefined ? undefined : Number(channel)
}

/** The preview ID of a channel. */
export const previewOfChannel = (id: number): string => `CHANNEL-${id}`

/** The preview ID of a device. */
export const previewOfDevice = (sn: string): string => `DEV-${sn}`

/** The input that a preview ID names; undefined for other IDs. */
export function inputOfPreview(id: string): number | undefined {
  const [, input] = /^INPUT-(\d{1,15})$/.exec(id) ?? []
  return input === undefined ? undefined : Number(input)
}

/** The serial number of the device that a preview ID names; undefined for other IDs. */
export function deviceOfPreview(id: string): string | undefined {
  return id.startsWith('DEV-') ? id.slice(4) : undefined
}
