// Import of settings: choose an export, see the differences, import, and wait until the hub is back.
import { EXPORT_PARTS, type ExportPart, type UploadedExport, uploadImport } from '../../../contract/backup/export.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { PasswordField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { $import, type ImportChoice } from '../../parts/opened-export.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DifferenceCards } from './difference.tsx'
import { compare, uploadExport } from './store.ts'
import { PARTS, TEXT } from './text.ts'

export function ImportScreen() {
  const { uploaded, isUploading, progress } = useStore($import)
  if (progress) return <ProgressCard progress={progress} />
  return (
    <div className="cards">
      <Card title={t(TEXT.file)}>
        {!uploaded && <p>{t(TEXT.intro)}</p>}
        {uploaded && <FileFacts uploaded={uploaded} />}
        <span className="row">
          <FileButton
            call={uploadImport}
            label={t(uploaded ? TEXT.another : TEXT.choose)}
            accept=".tar"
            upload={undefined}
            onFile={uploadExport}
            onCancel={() => {}}
          />
          {isUploading && <progress aria-label={t(TEXT.uploading)} />}
        </span>
      </Card>
      {uploaded && <PartsForm key={uploaded.id} uploaded={uploaded} />}
    </div>
  )
}

function ProgressCard({ progress }: { progress: 'restarting' | 'done' }) {
  const isDone = progress === 'done'
  return (
    <div className="cards" role="status">
      <Card title={t(isDone ? TEXT.done : TEXT.running)}>
        <p>{t(isDone ? TEXT.doneText : TEXT.runningText)}</p>
        {isDone ? (
          <Button label={t(TEXT.another)} onClick={() => $import.set({})} />
        ) : (
          <progress aria-label={t(TEXT.running)} />
        )}
      </Card>
    </div>
  )
}

function FileFacts({ uploaded }: { uploaded: UploadedExport }) {
  const { created, host, version, signer, fingerprint, sealed } = uploaded
  const isOwn = signer === 'own'
  return (
    <>
      <DescriptionList
        items={[
          [t(TEXT.created), dateTime(created)],
          [t(TEXT.from), `${host} (${version})`],
          [
            t(TEXT.signer),
            <StatusLabel key="signer" tone={isOwn ? 'good' : 'warn'} text={t(isOwn ? TEXT.own : TEXT.other)} />
          ],
          [t(TEXT.secrets), t(sealed ? TEXT.sealed : TEXT.unsealed)]
        ]}
      />
      {!isOwn && (
        <>
          <p>{t(TEXT.otherHint)}</p>
          <DescriptionList items={[[t(TEXT.fingerprint), <code key="key">{fingerprint}</code>]]} />
        </>
      )}
    </>
  )
}

const isSameChoice = (left: ImportChoice, right: ImportChoice) =>
  left.passphrase === right.passphrase && EXPORT_PARTS.every((part) => left[part] === right[part])

/**
 * The choice of parts, and its effect. After a change of the choice the effect is not shown until it is computed again.
 */
function PartsForm({ uploaded }: { uploaded: UploadedExport }) {
  const { difference, compared } = useStore($import)
  const counts = new Map(uploaded.parts.map(({ part, count }) => [part, count]))
  const all = Object.fromEntries(EXPORT_PARTS.map((part) => [part, true])) as Record<ExportPart, boolean>
  const form = useForm<ImportChoice>(
    {},
    compared ?? { ...all, passphrase: '' },
    (choice, options) => compare(uploaded, choice, options),
    { fieldOfCode: { 39: 'passphrase' } }
  )
  const isEmpty = EXPORT_PARTS.every((part) => !form.values[part])
  return (
    <>
      <form noValidate onSubmit={form.submit}>
        <Card title={t(TEXT.parts)}>
          {uploaded.sealed && (
            <PasswordField {...form.field('passphrase')} label={t(TEXT.passphrase)} hint={t(TEXT.passphraseHint)} />
          )}
          {EXPORT_PARTS.map((part) => (
            <SwitchField
              key={part}
              checkbox
              {...form.field(part)}
              label={`${t(PARTS[part])} (${number(counts.get(part) ?? 0)})`}
            />
          ))}
          <p className="muted">{t(TEXT.partHint)}</p>
          <Button submit kind="main" label={t(TEXT.compare)} busy={form.busy} disabled={isEmpty} />
        </Card>
      </form>
      {difference && compared && isSameChoice(compared, form.values) && (
        <DifferenceCards uploaded={uploaded} difference={difference} choice={compared} />
      )}
    </>
  )
}
