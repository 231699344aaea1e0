// Requests with `dry-run`: the caller asks which channels a call takes off air, before it makes the call.
import type { Call, Envelope } from '../../contract/call.ts'
import { DATA_LOSS, INVALID_ARG, OBJECT_BUSY, OFF_AIR } from '../../contract/codes.ts'
import type { Caller, Gate } from '../auth/gate.ts'
import type { InterruptedChannel, OffAir } from '../channels/off-air.ts'
import type { Store } from '../store/store.ts'
import { CallError } from './handler.ts'

/** `always`: nothing is changed. `if-off-air`: nothing is changed if a channel would go off air. */
export type DryRun = 'always' | 'if-off-air'

/** Results that the same call with `force` overrides. */
const FORCEABLE: readonly number[] = [OBJECT_BUSY, DATA_LOSS]

/** Thrown within the transaction of a change, to undo it. */
export class DryRunEnd extends Error {
  readonly channels: readonly InterruptedChannel[]
  constructor(channels: readonly InterruptedChannel[]) {
    super('dry run')
    this.channels = channels
  }
}

/**
 * Takes `dry-run` out of a request.
 * @param fields the request as sent
 * @param request the request as the schema has it
 * @throws CallError 7 for a call that has no dry run, because it would make the change
 */
export function takeDryRun<Request extends object>(
  call: Call,
  fields: object,
  request: Request
): { request: Request; dryRun: DryRun | undefined } {
  if (!call.interrupts) {
    const { 'dry-run': sent } = fields as { 'dry-run'?: unknown }
    if (sent === true || sent === 'true') throw new CallError(INVALID_ARG, { field: 'dry-run' })
    return { request, dryRun: undefined }
  }
  const { 'dry-run': value, ...rest } = request as { 'dry-run'?: boolean | DryRun }
  const dryRun = value === true ? 'always' : value === 'if-off-air' ? value : undefined
  return { request: rest as Request, dryRun }
}

/** @throws DryRunEnd if the call must not be made */
export function endDryRun(dryRun: DryRun, channels: readonly InterruptedChannel[]): void {
  if (dryRun === 'always' || channels.length > 0) throw new DryRunEnd(channels)
}

/** Each channel once. @param first what counts for a channel that is in both lists */
export function mergeInterrupted(
  first: readonly InterruptedChannel[],
  second: readonly InterruptedChannel[]
): InterruptedChannel[] {
  return [...first, ...second.filter(({ id }) => !first.some((channel) => channel.id === id))]
}

/** Whether a request that was refused succeeds with `force`. */
export const isForceable = (error: unknown, request: object): error is CallError =>
  error instanceof CallError && FORCEABLE.includes(error.code) && (request as { force?: boolean }).force !== true

/** The channels as the caller may see them. */
export function offAirFields(
  { store, gate }: { store: Pick<Store, 'devices'>; gate: Gate },
  caller: Caller | undefined,
  channels: readonly InterruptedChannel[]
): Pick<Envelope, 'off-air' | 'off-air-hidden'> {
  if (!caller) return {}
  const isVisible = gate.channelsVisibleTo(caller)
  const mayName = (sn: string | undefined) => {
    const device = sn === undefined ? undefined : store.devices.bySerial(sn)
    return sn === undefined || (device !== undefined && gate.canSeeDevice(caller, device))
  }
  const visible = channels.filter(({ id }) => isVisible(id))
  const hidden = channels.length - visible.length
  return {
    'off-air': visible.map(({ outputs, ...channel }) => ({
      ...channel,
      outputs: outputs.filter(({ sn }) => mayName(sn)).map(({ name }) => name)
    })),
    ...(hidden > 0 && { 'off-air-hidden': hidden })
  }
}

/** The response to a dry run. @throws CallError 1102 with the channels, unless they were asked for */
export function answerDryRun(dryRun: DryRun, fields: ReturnType<typeof offAirFields>): object {
  if (dryRun === 'if-off-air') throw new CallError(OFF_AIR, { ...fields })
  return fields
}

/** What dry runs need to know. */
export type OffAirFinder = Pick<OffAir, 'snapshot' | 'compare' | 'find'>
