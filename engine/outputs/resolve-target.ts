import { targetHost } from '../../contract/stream/stream-hosts.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { Launch } from '../interfaces/launcher.ts'
import { type ProcessOutputConfig, withTargetAddress } from './output-command.ts'

export interface ResolvedTarget {
  output: ProcessOutputConfig
  /** As `Launch.allowedHosts`. */
  allowedHosts: NonNullable<Launch['allowedHosts']>
}

/**
 * Applies the address policy to the target of an output.
 * @throws as `EngineContext.resolveHost`
 */
export async function resolveTarget(
  wanted: ProcessOutputConfig,
  { resolveHost }: Pick<EngineContext, 'resolveHost'>
): Promise<ResolvedTarget> {
  const host = targetHost(wanted)
  if (host === undefined) return { output: wanted, allowedHosts: {} }
  const address = await resolveHost(host)
  return { output: withTargetAddress(wanted, address), allowedHosts: { [host]: address } }
}
