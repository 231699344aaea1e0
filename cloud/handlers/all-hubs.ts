// Calls about all hubs at once.
import type { Handler } from '../http/handler.ts'
import { hubListHandlers } from './hub-lists.ts'
import { type SearchParts, searchHandler } from './search.ts'

export const allHubsHandlers = (parts: SearchParts): Handler[] => [...hubListHandlers(parts), searchHandler(parts)]
