// Playback of Pro Convert decoders: a saved source with the SRT URL of the hub, which is selected
// (docs/architecture/devices-at-addresses.md).
import { NOT_EXIST } from '../../../../contract/codes.ts'
import type { PlayOrder } from '../../../../contract/device/link.ts'
import { LinkError } from '../../../../device-link/link-error.ts'
import type { BeforeOrder } from '../../../store/device-streams.ts'
import { fields, NAME_MAX, objectList, text } from '../../adapters/fields.ts'
import type { DeviceCalls } from './device-calls.ts'
import { HUB_ENTRY, hostInUrl, type StreamMethod } from './stream-method.ts'

const NOTHING: BeforeOrder = { ndi: true, name: '' }
/** Maximum number of saved sources read. */
const CHANNELS_MAX = 1000

/** Slashes, which stream IDs contain, are not encoded: players do not decode the values of a URL in the same way. */
const encodeValue = (value: string | number) => encodeURIComponent(value).replaceAll('%2F', '/')

/** URL of a stream of the hub for a device. */
export function playbackUrl(order: PlayOrder, host: string): string {
  const buffer = order['buffer-ms']
  const query = [
    ['mode', 'caller'],
    ['streamid', order['stream-id']],
    ['passphrase', order.passphrase],
    ['latency', order.latency],
    ...(buffer === undefined ? [] : [['mw-buffer-duration', buffer] as const])
  ] as const
  const text = query.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&')
  return `srt://${hostInUrl(host)}:${order.port}?${text}`
}

/** The selected source. `ndi-name` is a flag in the documentation, and the NDI name itself in answers of some. */
async function readSelection(calls: DeviceCalls): Promise<BeforeOrder> {
  const channel = await calls.query('get-channel')
  const ndi = channel['ndi-name']
  if (typeof ndi === 'string' && ndi !== 'true' && ndi !== 'false')
    return { ndi: true, name: text(ndi, NAME_MAX) ?? '' }
  return { ndi: ndi === true || ndi === 'true', name: text(channel.name, NAME_MAX) ?? '' }
}

const select = (calls: DeviceCalls, { ndi = true, name = '' }: BeforeOrder) =>
  calls.query('set-channel', { 'ndi-name': ndi, name })

const isHub = ({ ndi, name }: BeforeOrder): boolean => !ndi && name === HUB_ENTRY

const hasHubChannel = async (calls: DeviceCalls): Promise<boolean> =>
  objectList((await calls.query('list-channels')).channels, CHANNELS_MAX).some(
    (channel) => fields(channel).name === HUB_ENTRY
  )

export const decoderPlayback: StreamMethod<PlayOrder> = {
  async read(calls) {
    const selection = await readSelection(calls)
    return isHub(selection) ? NOTHING : selection
  },

  async start(calls, order, host) {
    const method = (await hasHubChannel(calls)) ? 'modify-channel' : 'add-channel'
    await calls.query(method, { name: HUB_ENTRY, url: playbackUrl(order, host) })
    await select(calls, { ndi: false, name: HUB_ENTRY })
  },

  async stop(calls, before) {
    // Otherwise a user has selected something else meanwhile, which stays.
    if (isHub(await readSelection(calls))) {
      try {
        await select(calls, before)
      } catch (error) {
        // The source was deleted meanwhile.
        if (!(error instanceof LinkError && error.code === NOT_EXIST)) throw error
        await select(calls, NOTHING)
      }
    }
    if (await hasHubChannel(calls)) await calls.query('del-channel', { name: HUB_ENTRY })
  }
}
