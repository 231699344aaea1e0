import type { AddInputRequest, InputSource } from '../../../contract/stream/source.ts'
import { type Translation, t } from '../../text/language.ts'
import { INPUT_FORM } from './input-form.ts'
import { SourceDialog } from './source-dialog.tsx'

const EDIT: Translation = ['Edit {0}', '编辑 {0}']

interface EditInputDialogProps {
  input: InputSource
  onClose: (succeeded?: boolean) => void
}

export const EditInputDialog = ({ input, onClose }: EditInputDialogProps) => (
  <SourceDialog<InputSource, AddInputRequest>
    schema={INPUT_FORM}
    source={input}
    title={t(EDIT, input.name)}
    onClose={onClose}
  />
)
