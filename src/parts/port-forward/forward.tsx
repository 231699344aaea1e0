// State, name and action of a port forward, for the list of all and for the page of a device.
import { FORWARD_STATE, type PortForward, stopPortForward } from '../../../contract/port-forward.ts'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Action } from '../actions.tsx'
import { stopForwards } from './store.ts'
import { TEXT } from './text.ts'

export const deviceOf = ({ name, sn }: PortForward) => name || sn

export function ForwardState({ forward: { state, trouble } }: { forward: PortForward }) {
  if (trouble) return <StatusLabel tone="bad" text={codeText(trouble)} />
  return state === FORWARD_STATE.connected ? (
    <StatusLabel tone="good" text={t(TEXT.connected)} />
  ) : (
    <StatusLabel tone="off" text={t(TEXT.idle)} />
  )
}

export const STOP: Action<PortForward> = {
  call: stopPortForward,
  icon: 'stop',
  verb: TEXT.stop,
  // Asks for confirmation only if there are connections.
  confirmText: (forwards) => (forwards.some(({ connections }) => connections > 0) ? t(TEXT.stopText) : undefined),
  run: stopForwards
}

/** Name of a port forward: the device and its port. */
export const forwardName = (forward: PortForward) => `${deviceOf(forward)}:${forward['remote-port']}`
