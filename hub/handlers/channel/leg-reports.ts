// Adds the measured statistics of every leg to a channel.
import type { Channel } from '../../../contract/stream/channel.ts'
import type { Leg } from '../../../contract/stream/leg.schema.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'

/**
 * The channel with the report of every leg.
 * @param withLevel also measures the audio level of the input that is on air
 */
export function withReports(engine: EngineClient, channel: Channel, withLevel: boolean): Channel {
  const audio = withLevel ? engine.audioLevel(channel.id) : undefined
  /** @param id node id of an output or a backup; undefined for the main input */
  const addReport = <One extends Leg>(leg: One, id?: number): One => {
    const report = engine.legReport(channel.id, id)
    return report ? { ...leg, report: { ...report, kbps: leg.kbps } } : leg
  }
  const addLevel = <One extends Leg>(leg: One, backupId?: number): One =>
    leg.report && audio && audio.backupId === backupId
      ? { ...leg, report: { ...leg.report, level: audio.levels } }
      : leg
  const { input, backups, outputs } = channel
  return {
    ...channel,
    input: input && addLevel(addReport(input)),
    ...(backups && { backups: backups.map((backup) => addLevel(addReport(backup, backup.id), backup.id)) }),
    outputs: { ...outputs, list: outputs.list.map((output) => addReport(output, output.id)) }
  }
}
