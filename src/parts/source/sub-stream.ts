import type { Translation } from '../../text/language.ts'

/** Label of the sub stream of an RTSP output. */
export const SUB_STREAM: Translation = ['Sub stream', '子码流']
