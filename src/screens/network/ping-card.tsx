// Asks whether the hub reaches a host.
import { useState } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { type PingReply, pingHost } from '../../../contract/machine/ping.ts'
import { host } from '../../../contract/rules/rules.ts'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { $isAllowed } from '../../state/session.ts'
import { notify } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Milliseconds for a ping: a name that is looked up, four packets, and the wait for the last answer. */
const PING_TIMEOUT = 30_000

function describeReply({ address, sent, received, 'average-ms': average = 0 }: PingReply): string {
  if (sent === 0) return t(TEXT.pingNoRoute, address)
  if (received === 0) return t(TEXT.pingNone, address, sent)
  return t(TEXT.pingReceived, address, received, sent, number(average, 1))
}

export function PingCard() {
  const isAllowed = useStore($isAllowed)(pingHost)
  const [reply, setReply] = useState<PingReply>()
  const form = useForm({ target: host }, { target: '' }, async ({ target }, { isShownElsewhere }) => {
    setReply(undefined)
    const response = await send(pingHost, { target }, { timeout: PING_TIMEOUT })
    if (response.result === SUCCESS) setReply(response)
    else if (!isShownElsewhere(response)) notify(response)
    return response
  })
  if (!isAllowed) return null
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={t(TEXT.connectivity)}>
        <TextField {...form.field('target')} label={t(TEXT.pingTarget)} hint={t(TEXT.pingHint)} />
        <p role="status">
          {reply && (
            <StatusLabel
              tone={reply.received === reply.sent && reply.sent > 0 ? 'good' : 'bad'}
              text={describeReply(reply)}
            />
          )}
        </p>
        <Button submit label={t(TEXT.ping)} busy={form.busy} />
      </Card>
    </form>
  )
}
