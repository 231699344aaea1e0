// Removes secrets from the answers of a device before they are written to a report.

const SECRET_FIELD =
  /pass|pwd|key|token|secret|word|auth|user|cookie|\bsid\b|streamid|stream-id|psk|ssid|cert|account|mail/i
/** Fields that match the rule above and are no secrets: they say what a device can do. */
const HARMLESS_FIELD = /^(is-cert-valid|is-cert-key-valid|hotkey|enc|is-auth)$/
const MAC = /\b([0-9a-f]{2}([:-])[0-9a-f]{2}\2[0-9a-f]{2})(?:\2[0-9a-f]{2}){3}\b/gi
const HIDDEN = '****'

/** @param sn serial number of the device, which every text of it is searched for */
export function createRedaction(sn: string, secrets: readonly string[]): (value: unknown) => unknown {
  const hiddenSerial = hideSerial(sn)

  function redactText(text: string): string {
    let result = text.replaceAll(sn, hiddenSerial)
    for (const secret of secrets) if (secret.length > 2) result = result.replaceAll(secret, HIDDEN)
    return (
      result
        .replace(MAC, (_, maker: string, separator: string) => [maker, '00', '00', '00'].join(separator))
        // What follows the host of an address: paths and queries carry keys.
        .replace(/([a-z]+:\/\/)([^\s/@]*@)?([^\s/?#]*)[^\s"]*/gi, `$1$3/${HIDDEN}`)
    )
  }

  return function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value)
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const isSecret =
          SECRET_FIELD.test(name) && !HARMLESS_FIELD.test(name) && typeof field === 'string' && field !== ''
        return [redactText(name), isSecret ? HIDDEN : redact(field)]
      })
    )
  }
}

/** A serial number with zeros after the part that says what the product is. */
export const hideSerial = (sn: string): string => sn.slice(0, 4) + '0'.repeat(Math.max(0, sn.length - 4))
