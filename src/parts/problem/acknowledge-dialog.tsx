import { SUCCESS } from '../../../contract/codes.ts'
import { PROBLEM_NOTE_MAX } from '../../../contract/limits.ts'
import type { Problem } from '../../../contract/problem.ts'
import { characterLength, printable } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { problemName } from './describe-problem.ts'
import { acknowledge } from './problems.ts'
import * as TEXT from './text.ts'

const lengthOfNote = characterLength(0, PROBLEM_NOTE_MAX)
const RULES = { note: (value: string) => printable(value) ?? lengthOfNote(value) }

interface AcknowledgeDialogProps {
  problems: readonly Problem[]
  onClose: (completed?: boolean) => void
}

/** Asks for a note, which everyone sees until the problem ends. */
export function AcknowledgeDialog({ problems, onClose }: AcknowledgeDialogProps) {
  const [first] = problems
  const title =
    problems.length === 1 && first
      ? t(TEXT.acknowledgeOf, problemName(first))
      : t(TEXT.acknowledgeCount, problems.length)
  const form = useForm(RULES, { note: '' }, async ({ note }, options) => {
    const reply = await acknowledge(problems, note.trim(), options)
    if (reply.result === SUCCESS) onClose(true)
    return reply
  })
  return (
    <FormDialog form={form} title={title} submitLabel={t(TEXT.acknowledge)} onClose={onClose}>
      <TextField {...form.field('note')} label={t(TEXT.note)} hint={t(TEXT.noteHint)} autoFocus />
    </FormDialog>
  )
}
