import type { PowerState } from '../../../contract/machine/power.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

/** A paragraph with a heading of its own. Nothing without text. */
export function Fact({ title, text }: { title: string; text: string }) {
  if (!text) return null
  return (
    <p>
      <strong>{title}</strong>
      <br />
      {text}
    </p>
  )
}

/** What a restart, a shutdown or a reset interrupts, as the hub says. */
export function Interrupted({ state }: { state: PowerState }) {
  const { channels, uploads, 'has-other-channels': hasOthers, inhibitors = [] } = state
  const running = [...channels, ...(hasOthers ? [t(TEXT.someOthers)] : [])]
  return (
    <>
      <Fact title={t(TEXT.stopping)} text={running.join(', ') || t(TEXT.nothing)} />
      <Fact title={t(TEXT.uploads)} text={uploads.join(', ')} />
      <Fact title={t(TEXT.inhibited)} text={inhibitors.map(({ who, why }) => `${who}: ${why}`).join(', ')} />
    </>
  )
}
