// Playback of newer devices: an entry in their list of sources with the SRT URL of the hub, which is selected
// (docs/architecture/devices-at-addresses.md).
import type { PlayOrder } from '../../../../contract/device/link.ts'
import { fields, integer, NAME_MAX, objectList, text } from '../../adapters/fields.ts'
import { playbackUrl } from './decoder-playback.ts'
import type { DeviceCalls } from './device-calls.ts'
import { HUB_ENTRY, type StreamMethod } from './stream-method.ts'

interface Source {
  id: number
  name: string
}

interface Sources {
  list: Source[]
  /** ID; 0: none is selected. */
  selected: number
}

const NOTHING: Source = { id: 0, name: '' }
/** Maximum number of sources read. */
const SOURCES_MAX = 1000
/** `type` of a source with a URL. */
const URL_SOURCE = 1

async function listSources(calls: DeviceCalls): Promise<Sources> {
  const response = await calls.get('/source/list')
  const list = objectList(response.list ?? response.static, SOURCES_MAX).flatMap((source) => {
    const id = integer(source.id, 1, 0xffff_ffff)
    return id === undefined ? [] : [{ id, name: text(fields(source.config).name, NAME_MAX) ?? '' }]
  })
  return { list, selected: integer(response.selected, 0, 0xffff_ffff) ?? 0 }
}

const findHubSource = ({ list }: Sources) => list.find(({ name }) => name === HUB_ENTRY)

export const sourcePlayback: StreamMethod<PlayOrder> = {
  async read(calls) {
    const { list, selected } = await listSources(calls)
    const source = list.find(({ id }) => id === selected)
    return source && source.name !== HUB_ENTRY ? source : NOTHING
  },

  async start(calls, order, host) {
    const config = { type: URL_SOURCE, name: HUB_ENTRY, url: playbackUrl(order, host) }
    const existing = findHubSource(await listSources(calls))
    if (existing) await calls.post('/source/set', { id: existing.id, config })
    else await calls.post('/source/add', { config })
    const own = existing ?? findHubSource(await listSources(calls))
    if (own) await calls.post('/source/select', { id: own.id })
  },

  async stop(calls, before) {
    const sources = await listSources(calls)
    const own = findHubSource(sources)
    if (!own) return
    // Otherwise a user has selected something else meanwhile, which stays.
    if (sources.selected === own.id) {
      const source = sources.list.find(({ id }) => id === before.id)
      await calls.post('/source/select', { id: source?.id ?? 0 })
    }
    await calls.post('/source/del', { id: own.id })
  }
}
