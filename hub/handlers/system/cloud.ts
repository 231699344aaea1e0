// Handlers for the registration of the hub with a cloud (contract/cloud-registration.ts).
import {
  type CloudRegistration,
  getCloudRegistration,
  setCloudRegistration
} from '../../../contract/cloud-registration.ts'
import { INVALID_ARG } from '../../../contract/codes.ts'
import type { CloudLink, ObservedRegistration } from '../../cloud/cloud-link.ts'
import { CallError, type Handler, handle, handleChange } from '../../http/handler.ts'
import { cloudFaultText, cloudStateText } from '../../messages/cloud.ts'
import type { Language } from '../../messages/language.ts'

function describeRegistration(
  { isOnline, links }: CloudLink,
  { state, since, fault }: ObservedRegistration,
  language: Language
): CloudRegistration {
  return {
    state,
    text: cloudStateText(language, String(state)),
    'age-s': Math.floor((performance.now() - since) / 1000),
    online: isOnline,
    links,
    ...(fault && { fault, reason: cloudFaultText(language, fault) })
  }
}

export function cloudHandlers({ cloudLink }: { cloudLink: CloudLink }): Handler[] {
  const { settings } = cloudLink
  return [
    handle(getCloudRegistration, ({ language }) => {
      const { secrets: _, 'signing-key': __, fingerprint: ___, ...stored } = settings.stored
      const { serial } = settings
      return {
        settings: stored,
        'has-invitation': settings.secrets() !== undefined,
        ...(serial && { sn: serial }),
        ...(cloudLink.observed && { registration: describeRegistration(cloudLink, cloudLink.observed, language) })
      }
    }),
    handleChange(setCloudRegistration, (context, request) => {
      const { enable, host } = request
      context.detail = `${enable ? 'on' : 'off'} ${host}`.trim()
      if (settings.needsInvitation(request))
        throw new CallError(INVALID_ARG, { field: 'invitation', fault: 'required' })
      cloudLink.change(request)
      context.afterCommit(() => cloudLink.apply())
      return {}
    })
  ]
}
