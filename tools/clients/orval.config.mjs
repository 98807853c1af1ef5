export default {
  platform: {
    input: './generated/document.json',
    output: {
      target: './generated/orval.ts',
      client: 'fetch',
      mode: 'single',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
}
