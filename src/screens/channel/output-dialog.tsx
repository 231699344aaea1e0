import type { Channel } from '../../../contract/stream/channel.ts'
import { OUTPUT_FORM } from '../../parts/source/output-form.ts'
import { SourceDialog } from '../../parts/source/source-dialog.tsx'
import { t } from '../../text/language.ts'
import { addChannelOutput } from './store.ts'
import * as TEXT from './text.ts'

interface OutputDialogProps {
  channel: Channel
  onClose: (succeeded?: boolean) => void
}

/** Adds an output to a channel. */
export function OutputDialog({ channel, onClose }: OutputDialogProps) {
  return (
    <SourceDialog
      schema={OUTPUT_FORM}
      nameFor={(destination) => `${channel.name} ${destination || channel.outputs.total + 1}`}
      title={t(TEXT.of, t(TEXT.addOutput), channel.name)}
      save={(output, options) => addChannelOutput(channel.id, output, options)}
      onClose={onClose}
    />
  )
}
