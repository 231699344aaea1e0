// The header with the name under which a browser saves a file (RFC 6266, RFC 8187).

/** Characters of a file name. File systems allow 255 bytes, and a Chinese character has three. */
const NAME_MAX = 80

/**
 * A file name that is a name on every system: no folders, no control characters or ones that change the direction of
 * the text, and none that Windows forbids; it neither begins nor ends with a dot or a space.
 */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|%]+/g, '-')
    .replace(/^[. ]+|[. ]+$/g, '')
  const characters = [...plain]
  const ending = /\.[\w]{1,8}$/.exec(plain)?.[0] ?? ''
  const short = characters.length > NAME_MAX ? characters.slice(0, NAME_MAX - ending.length).join('') + ending : plain
  return short || 'download'
}

/** Tells a browser to save a response under a name. */
export function attachment(name: string): string {
  const safe = safeFileName(name)
  const plain = safe.replace(/[^\x20-\x7e]/g, '_')
  const encoded = encodeURIComponent(safe).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`
  )
  return `attachment; filename="${plain}"${plain === safe ? '' : `; filename*=UTF-8''${encoded}`}`
}
