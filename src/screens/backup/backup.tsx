// Backups, export and import of the configuration.
import { exportPassphrase } from '../../../contract/rules/passphrase.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { PasswordField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { DescribedCards } from '../../parts/described-form/cards.tsx'
import { startDownload } from '../../parts/download.ts'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { BackupList } from './list.tsx'
import { TEXT } from './text.ts'

interface Values {
  isSealed: boolean
  passphrase: string
}

export function BackupScreen() {
  return (
    <div className="stack">
      <BackupList />
      <div className="cards">
        <DescribedCards page="backup" />
        <ExportForm />
        <Card title={t(TEXT.import)}>
          <p>{t(TEXT.importText)}</p>
          <a className="button" href={`#${linkTo('importSettings')}`}>
            {t(TEXT.openImport)}
          </a>
        </Card>
      </div>
    </div>
  )
}

function ExportForm() {
  const form = useForm<Values>(
    { passphrase: (value, { isSealed }) => (isSealed ? exportPassphrase(value) : undefined) },
    { isSealed: false, passphrase: '' },
    ({ isSealed, passphrase }, options) => startDownload({ kind: 'export', ...(isSealed && { passphrase }) }, options)
  )
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={t(TEXT.export)}>
        <p>{t(TEXT.exportText)}</p>
        <SwitchField {...form.field('isSealed')} label={t(TEXT.withSecrets)} />
        {form.values.isSealed ? (
          <PasswordField {...form.field('passphrase')} label={t(TEXT.passphrase)} hint={t(TEXT.passphraseHint)} />
        ) : (
          <p className="muted">{t(TEXT.without)}</p>
        )}
        <Button submit kind="main" label={t(TEXT.download)} busy={form.busy} />
      </Card>
    </form>
  )
}
