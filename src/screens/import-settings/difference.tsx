import {
  applyImport,
  EXPORT_PARTS,
  type ImportDifference,
  type UploadedExport
} from '../../../contract/backup/export.ts'
import { CallButton } from '../../parts/actions.tsx'
import type { ImportChoice } from '../../parts/opened-export.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { StateLabel } from '../../ui/state-label.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { apply } from './store.ts'
import { CHANGES, EFFECTS, PARTS, TEXT } from './text.ts'

interface DifferenceProps {
  uploaded: UploadedExport
  difference: ImportDifference
  choice: ImportChoice
}

async function confirmImport({ uploaded, difference, choice }: DifferenceProps): Promise<void> {
  const label = t(TEXT.apply)
  const parts = EXPORT_PARTS.filter((part) => choice[part]).map((part) => t(PARTS[part]))
  const question = {
    text: t(TEXT.applyText, parts.join('; ')),
    confirmLabel: label,
    danger: true
  }
  if (await confirm(question)) await apply(uploaded, difference)
}

/** What the import changes, and the button that starts it. */
export function DifferenceCards(props: DifferenceProps) {
  const { parts, channels, notes } = props.difference
  return (
    <>
      <Card title={t(TEXT.differences)} fullWidth>
        {parts.length === 0 && <p>{t(TEXT.none)}</p>}
        {parts.map((part) => (
          <PartChanges key={part.part} {...part} />
        ))}
        {parts.length > 0 && (
          <p className="row">
            <CallButton call={applyImport} kind="danger" label={t(TEXT.apply)} onClick={() => confirmImport(props)} />
          </p>
        )}
      </Card>
      {parts.length > 0 && (
        <Card title={t(TEXT.channels)}>
          {channels.map(({ name, effect, 'on-air': isOnAir }) => (
            <p key={name} className="row">
              <StateLabel state={EFFECTS[effect]} />
              {name}
              {isOnAir && <StatusLabel pill tone="bad" text={t(TEXT.onAir)} />}
            </p>
          ))}
          <p className="muted">{t(TEXT.stays)}</p>
        </Card>
      )}
      {notes.length > 0 && (
        <Card title={t(TEXT.notes)}>
          {notes.map(({ note, text }) => (
            <p key={note}>{text}</p>
          ))}
        </Card>
      )}
    </>
  )
}

function PartChanges({ part, items, ...counts }: ImportDifference['parts'][number]) {
  const changes = (['added', 'changed', 'removed'] as const).filter((change) => counts[change] > 0)
  const hidden = changes.reduce((sum, change) => sum + counts[change], 0) - items.length
  return (
    <details>
      <summary>
        {`${t(PARTS[part])}: `}
        {changes.map((change) => (
          <StateLabel key={change} state={CHANGES[change]} note={` ${number(counts[change])} `} />
        ))}
      </summary>
      {items.map(({ text, change }) => (
        <p key={`${text} ${change}`} className="row">
          <StateLabel state={CHANGES[change]} />
          {text}
        </p>
      ))}
      {hidden > 0 && <p className="muted">{t(TEXT.more, number(hidden))}</p>}
    </details>
  )
}
