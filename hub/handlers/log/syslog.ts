// Handlers for the syslog server (contract/syslog/status.ts).
import { NO_RESPONSE, WRONG_STATE } from '../../../contract/codes.ts'
import { getSyslogStatus, testSyslog } from '../../../contract/syslog/status.ts'
import { CallError, type Handler, handle, handlePreparedChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { syslogErrorText } from '../../syslog/error-text.ts'
import type { SyslogForwarder } from '../../syslog/forwarder.ts'

export function syslogHandlers({ store, syslog }: { store: Store; syslog: SyslogForwarder }): Handler[] {
  return [
    handle(getSyslogStatus, ({ language }) => {
      const { failure, ...status } = syslog.status()
      return { ...status, ...(failure && { error: syslogErrorText(language, failure) }) }
    }),
    handlePreparedChange(
      testSyslog,
      async (context) => {
        const target = store.settings.get('syslog')
        context.detail = target.host
        if (target.protocol === 'off') throw new CallError(WRONG_STATE)
        await syslog.sendTest(target, requireCaller(context).user.name).catch((error) => {
          throw new CallError(NO_RESPONSE, { message: syslogErrorText(context.language, error) })
        })
      },
      () => ({})
    )
  ]
}
