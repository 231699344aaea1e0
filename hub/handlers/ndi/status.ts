// Handler for the state of NDI.
import { getNdiStatus, type NdiServerStatus } from '../../../contract/ndi/status.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { NdiServerReport } from '../../../engine/interfaces/ndi.ts'
import { type Handler, handle } from '../../http/handler.ts'
import { isIpv6Only } from '../../machine/addresses.ts'
import type { Language } from '../../messages/language.ts'
import { ndiProcessText } from '../../messages/ndi.ts'
import { ndiServerStep } from '../../messages/next-steps.ts'
import { describeRuntime, runtimeCommand } from './runtime.ts'

function serializeServer(language: Language, report: NdiServerReport): NdiServerStatus {
  const { retryInS, ...rest } = report
  return {
    ...rest,
    ...(retryInS !== undefined && { 'retry-in-s': retryInS }),
    ...(report.state === 'not-installed' && { 'next-step': ndiServerStep(language) })
  }
}

export function ndiStatusHandler({ engine }: { engine: EngineClient }): Handler {
  return handle(getNdiStatus, async ({ language }) => {
    const [state, runtime] = await Promise.all([engine.observeNdi(), engine.checkNdiRuntime()])
    const command = runtimeCommand(runtime.failure?.reason)
    return {
      runtime: { ...describeRuntime(language, runtime), ...(command && { command }) },
      ...(state && { 'machine-name': state.machineName }),
      outdated: (state?.outdated ?? []).map((each) => ({ ...each, text: ndiProcessText(language, each) })),
      unusable: state?.unusable ?? [],
      ...(isIpv6Only() && { 'ipv6-only': true as const }),
      ...(state?.accountConfig && { 'account-config': state.accountConfig }),
      server: state ? serializeServer(language, state.server) : {}
    }
  })
}
