// The kinds of cameras and servers that the hub knows. A further kind is a file like theirs, and a line here.
import type { ThirdPartyAdapter } from './adapter.ts'
import { mediamtx } from './mediamtx.ts'
import { nginxRtmp } from './nginx-rtmp.ts'
import { obs } from './obs.ts'
import { onvif } from './onvif.ts'
import { srs } from './srs.ts'

export const THIRD_PARTY_ADAPTERS: readonly ThirdPartyAdapter[] = [onvif, mediamtx, nginxRtmp, srs, obs]

/** @param api of a device. @returns undefined for a device of the vendor */
export const thirdPartyAdapter = (api: string): ThirdPartyAdapter | undefined =>
  THIRD_PARTY_ADAPTERS.find((adapter) => adapter.api === api)
