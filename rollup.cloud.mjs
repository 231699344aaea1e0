// Builds the pages of the cloud into dist-cloud/.
import { bundle } from './bundler/bundle.ts'

export default bundle({ input: 'src/cloud/main.tsx', dir: 'dist-cloud', hasHelp: false })
