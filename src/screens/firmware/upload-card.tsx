import type { Envelope } from '../../../contract/call.ts'
import {
  FILE_TYPE_ERROR,
  FORMAT_ERROR,
  NO_SPACE,
  OBJECT_BUSY,
  TOO_LARGE,
  VERIFY_FAILED
} from '../../../contract/codes.ts'
import { freeSpace } from '../../../contract/file-rules.ts'
import { FIRMWARE_FILE_MAX, type SpaceNumbers } from '../../../contract/firmware.ts'
import { answerText } from '../../text/answers.ts'
import { codeText, nextStep } from '../../text/codes.ts'
import { faultText } from '../../text/faults.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'
import { $upload, abandon, type Uploading, uploadFile } from './upload.ts'

/** Why the hub does not take a file, each sentence for a line of its own. */
export function uploadText(answer: Envelope & SpaceNumbers): string[] {
  const { result, 'free-size': free, 'need-size': need, 'keep-size': keep } = answer
  if (result === FILE_TYPE_ERROR || result === FORMAT_ERROR) return [codeText(FILE_TYPE_ERROR), t(TEXT.fileName)]
  if (result === VERIFY_FAILED) return [t(TEXT.damaged), t(TEXT.uploadAgain)]
  if (result === TOO_LARGE) return [codeText(result), t(TEXT.tooLarge, bytes(FIRMWARE_FILE_MAX))]
  if (result === OBJECT_BUSY) return [codeText(result), t(TEXT.needed)]
  if (result !== NO_SPACE || free === undefined || need === undefined || keep === undefined) return answerText(answer)
  const fault = freeSpace(free)
  const what = fault ? faultText(fault) : codeText(result)
  return [what, t(TEXT.space, bytes(free), bytes(need), bytes(keep)), nextStep(result) ?? '']
}

function stateOf({ phase, answer }: Uploading) {
  if (phase === 'refused') return <State tone="bad" text={t(TEXT.refused)} tip={answer && codeText(answer.result)} />
  return phase === 'broken' ? (
    <State tone="warn" text={t(TEXT.broken)} />
  ) : (
    <State tone="busy" text={t(phase === 'checking' ? TEXT.checking : TEXT.sending)} />
  )
}

/** The upload under way, or why it was refused. */
export function UploadCard() {
  const upload = useStore($upload)
  if (!upload) return null
  const { file, phase, sent, rate, answer } = upload
  const done = t(rate > 0 ? TEXT.sentAt : TEXT.sent, bytes(sent), bytes(file.size), bytes(rate))
  const refused = phase === 'refused'
  return (
    <section className="card upload" aria-label={t(TEXT.progress, file.name)}>
      <div className="body row">
        <strong className="cut">{file.name}</strong>
        <span role="status">{stateOf(upload)}</span>
        {!refused && (
          <>
            <progress max={file.size} value={sent} aria-label={t(TEXT.progress, file.name)} />
            <span className="num muted">{done}</span>
          </>
        )}
        <span className="push" />
        {refused && <Button icon="retry" label={t(TEXT.again)} onClick={() => void uploadFile(file)} />}
        <Button label={t(refused ? TEXT.dismiss : TEXT.cancel)} onClick={() => void abandon()} />
        {refused && answer && (
          <div role="alert" className="fault">
            {uploadText(answer).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        )}
      </div>
    </section>
  )
}
