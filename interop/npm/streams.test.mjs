// The streams that OpenAI documents, read by the official client for JavaScript: as they are, and by way of a Handler.
// What they come to is the same as for the clients in Go.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import OpenAI from 'openai';
import { server } from './server.mjs';

const s = server();
const folder = new URL('../server/streams/', import.meta.url);
const names = readdirSync(folder).filter((file) => file.endsWith('.sse')).map((file) => file.slice(0, -'.sse'.length));
const wanted = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

// Of an error with its members beside its type, the library knows that there was one.
const flatErrors = ['error'];

// What the helper of the client refuses, as OpenAI's own events are the only ones that it takes.
const refusedByHelper = /Unhandled response stream event.*response\.reasoning\.delta/;

/** Tells of a response in the terms that all clients share. */
function digest(response, error) {
  const output = response?.output ?? [];
  const parts = output.filter((item) => item.type === 'message').flatMap((item) => item.content);
  const reasoning = output.filter((item) => item.type === 'reasoning');
  const texts = parts.filter((part) => part.type === 'output_text');
  const usage = response?.usage;
  const found = error ?? response?.error;
  return {
    status: response?.status ?? 'failed',
    text: texts.map((part) => part.text).join(''),
    refusal: parts.map((part) => part.refusal ?? '').join(''),
    items: output.map((item) => item.type),
    calls: output.filter((item) => item.type === 'function_call')
      .map(({ call_id, name, arguments: args }) => ({ call_id, name, arguments: args })),
    summaries: reasoning.flatMap((item) => item.summary).map((part) => part.text),
    reasoning: reasoning.flatMap((item) => item.content ?? []).map((part) => part.text),
    annotations: texts.flatMap((part) => part.annotations).map((annotation) => annotation.type),
    logprobs: texts.flatMap((part) => part.logprobs ?? []).length,
    usage: usage ? {
      input: usage.input_tokens, cached: usage.input_tokens_details.cached_tokens,
      output: usage.output_tokens, reasoning: usage.output_tokens_details.reasoning_tokens, total: usage.total_tokens,
    } : null,
    incomplete: response?.incomplete_details?.reason ?? '',
    error: found ? { code: found.code ?? '', message: found.message ?? '' } : null,
  };
}

/** Reads a stream event by event. */
async function read(openai, name) {
  let response, error, text = '';
  try {
    for await (const event of await openai.responses.create({ model: name, input: 'go', stream: true })) {
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type === 'error') error = event;
      if (['response.completed', 'response.incomplete', 'response.failed'].includes(event.type)) response = event.response;
    }
  } catch (err) {
    if (!(err instanceof OpenAI.APIError)) throw err;
    error = err.error;
  }
  const got = digest(response, error);
  if (response) assert.equal(text, got.text, 'the deltas and the final response');
  return got;
}

assert.notEqual(names.length, 0, 'no streams');
for (const path of ['/streams/v1', '/proxied/v1']) {
  const client = () => new OpenAI({ baseURL: s.url + path, apiKey: 'key', maxRetries: 0 });
  for (const name of names) {
    const want = wanted(name);
    if (flatErrors.includes(name) && path === '/proxied/v1') want.error = { code: '', message: '' };

    test(`${path}/${name}, event by event`, async () => {
      assert.deepEqual(await read(client(), name), want);
    });

    if (want.status === 'completed' || want.status === 'incomplete') test(`${path}/${name}, by the helper`, async () => {
      const ask = () => client().responses.stream({ model: name, input: 'go' }).finalResponse();
      if (name === 'reasoning_text' && path === '/proxied/v1') {
        await assert.rejects(ask(), refusedByHelper);
        return;
      }
      assert.deepEqual(digest(await ask()), want);
    });
  }
}
