// Finds the legs of a channel that the address policy now forbids.
import { ndiSearchHosts, sourceHost, targetHost } from '../../contract/stream/stream-hosts.ts'
import type { WantedChannel, WantedInput } from '../interfaces/channel.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import { ForbiddenAddressError } from '../interfaces/errors.ts'

export interface ForbiddenLegs {
  /** Whether the first input or a backup is forbidden. */
  hasInput: boolean
  /** IDs of forbidden outputs. */
  outputIds: number[]
}

/** The hosts to which an input connects. */
const hostsOf = (input: WantedInput) => [
  sourceHost(input),
  ...(input.kind === 'ndi' ? ndiSearchHosts(input.source) : [])
]

export async function findForbiddenLegs(
  { input, backups = [], outputs }: WantedChannel,
  { resolveHost }: Pick<EngineContext, 'resolveHost'>
): Promise<ForbiddenLegs> {
  const isForbidden = async (host: string | undefined) => {
    if (host === undefined) return false
    return resolveHost(host).then(
      () => false,
      (error) => error instanceof ForbiddenAddressError
    )
  }
  const inputs = input ? [input, ...backups] : backups
  const [inputResults, outputResults] = await Promise.all([
    Promise.all(inputs.flatMap(hostsOf).map(isForbidden)),
    Promise.all(outputs.map((output) => isForbidden(targetHost(output))))
  ])
  return {
    hasInput: inputResults.includes(true),
    outputIds: outputs.filter((_, index) => outputResults[index]).map(({ id }) => id)
  }
}
