import type { AddOutputRequest, Output } from '../../../contract/stream/source.ts'
import { type Translation, t } from '../../text/language.ts'
import { OUTPUT_FORM } from './output-form.ts'
import { SourceDialog } from './source-dialog.tsx'

const EDIT: Translation = ['Edit {0}', '编辑 {0}']

interface EditOutputDialogProps {
  output: Output
  onClose: (succeeded?: boolean) => void
}

export const EditOutputDialog = ({ output, onClose }: EditOutputDialogProps) => (
  <SourceDialog<Output, AddOutputRequest>
    schema={OUTPUT_FORM}
    source={output}
    title={t(EDIT, output.name)}
    onClose={onClose}
  />
)
