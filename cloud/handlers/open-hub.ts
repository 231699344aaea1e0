// Opens a hub: gives the page a ticket for the origin of the hub.
import { openHub } from '../../contract/cloud/calls.ts'
import { CLIENT_NOT_EXIST, NOT_PERMITTED } from '../../contract/codes.ts'
import { CallError } from '../../web-server/call-error.ts'
import { type Handler, handle, requireCaller } from '../http/handler.ts'
import type { HubOrigins } from '../relay/hub-origins.ts'
import { ENTRANCE_PATH } from '../relay/hub-pages.ts'
import { type HubSessions, mayOpen } from '../relay/hub-sessions.ts'

interface OpenHubParts {
  origins: HubOrigins
  sessions: HubSessions
}

export const openHubHandler = ({ origins, sessions }: OpenHubParts): Handler =>
  handle(openHub, async (context, scope, { sn }) => {
    const caller = requireCaller(context)
    context.detail = sn
    // A hub is opened in a browser. Its session belongs to one of the cloud, which a token is not.
    if (caller.scopes) throw new CallError(NOT_PERMITTED)
    if (!(await mayOpen(scope, caller, sn))) throw new CallError(CLIENT_NOT_EXIST)
    const ticket = await sessions.issueTicket(scope, caller, sn)
    const host = origins.hostOf({ organisation: scope.organisation, sn }, context.host ?? '')
    return { url: `${context.secure ? 'https' : 'http'}://${host}${ENTRANCE_PATH}`, ticket }
  })
