import { SUCCESS, TIMEOUT } from '../../../contract/codes.ts'
import { licenseSerial } from '../../../contract/rules/account.ts'
import { type RuleSet, required } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { verbText } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { activate } from './store.ts'
import { TEXT } from './text.ts'

const EMPTY_VALUES = { 'user-name': '', sn: '' }
/** A serial number may be typed in lower case, and pasted with spaces around it. */
const normalize = (sn: string) => sn.trim().toUpperCase()

const RULES: RuleSet<typeof EMPTY_VALUES> = { 'user-name': required, sn: (sn) => licenseSerial(normalize(sn)) }

/** Activates a licence at the licence server. */
export function ActivateDialog({ onClose }: { onClose: () => void }) {
  const form = useForm(RULES, EMPTY_VALUES, async ({ 'user-name': title, sn }) => {
    const response = await activate(title.trim(), normalize(sn), { isShownElsewhere: form.showsError })
    if (response.result === SUCCESS) onClose()
    return response.result === TIMEOUT ? { ...response, message: t(TEXT.serverAway) } : response
  })
  return (
    <FormDialog form={form} submitLabel={verbText(TEXT.activate)} onClose={onClose}>
      <TextField {...form.field('user-name')} label={t(TEXT.title)} />
      <TextField {...form.field('sn')} label={t(TEXT.serial)} hint={t(TEXT.serialHint)} />
    </FormDialog>
  )
}
