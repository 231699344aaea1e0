// The switch of all HLS outputs: the part `hls` of the settings.
import { LOG_OFF, LOG_ON } from '../../../contract/log.ts'
import type { Settings } from '../../../contract/settings.ts'
import { CONNECTION_STATE, HTTP } from '../../../contract/stream/protocols.ts'
import type { HlsState } from '../../../contract/web/ports.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Context } from '../../http/handler.ts'
import type { OutputRow } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'

/** HLS outputs that channels use. */
const hlsOutputs = ({ store }: { store: Store }): (OutputRow & { channel_id: number })[] =>
  store.sources
    .outputs()
    .flatMap((row) =>
      row.protocol === HTTP && row.channel_id !== null ? [{ ...row, channel_id: row.channel_id }] : []
    )

/** The switch, and what it would interrupt. */
export function describeHls(parts: { store: Store; engine: EngineClient }): HlsState {
  const { enable } = parts.store.settings.get('hls')
  const running = hlsOutputs(parts)
    .map(({ id, channel_id: channel }) => parts.engine.observe(channel)?.outputs.get(id))
    .filter((output) => output?.connState === CONNECTION_STATE.connected)
  const players = running.reduce((sum, output) => sum + (output?.clientNum ?? 0), 0)
  return { enable, running: running.length, players }
}

/** Starts or stops the HLS outputs of all channels. Other outputs continue. */
export function setHls(
  parts: { store: Store; applyChannel: (id: number) => Promise<void> },
  context: Context,
  { enable }: Settings['hls']
): void {
  context.detail = `hls ${enable ? LOG_ON : LOG_OFF}`
  parts.store.settings.set('hls', { enable })
  context.afterCommit(() =>
    Promise.all([...new Set(hlsOutputs(parts).map((output) => output.channel_id))].map((id) => parts.applyChannel(id)))
  )
}
