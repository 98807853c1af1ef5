export default {
  input: './generated/document.json',
  output: './generated/hey-api',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
}
