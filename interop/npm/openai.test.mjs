// The official OpenAI client for JavaScript, unmodified, against the library's handler.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { server } from './server.mjs';

const s = server();
const client = (path, options = {}) => new OpenAI({ baseURL: s.url + path, apiKey: 'key', maxRetries: 0, ...options });
const echo = () => client('/echo/v1');
const scripted = (options) => client('/scripted/v1', options);

const weather = {
  type: 'function', name: 'get_weather', description: 'Get the weather of a place.', strict: true,
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'], additionalProperties: false },
};

/** Reads a stream to its end, and gives what was in it. */
async function drain(stream) {
  const got = { types: [], text: '', final: undefined, sequence: [] };
  for await (const event of stream) {
    got.types.push(event.type);
    got.sequence.push(event.sequence_number);
    if (event.type === 'response.output_text.delta') got.text += event.delta;
    if (event.response) got.final = event.response;
  }
  return got;
}

const forms = [
  ['whole', (openai, params) => openai.responses.create(params)],
  ['streamed', async (openai, params) => {
    const got = await drain(await openai.responses.create({ ...params, stream: true }));
    assert.deepEqual(got.sequence, got.sequence.map((_, i) => i), 'sequence numbers');
    assert.equal(got.types[0], 'response.created');
    const last = { completed: 'response.completed', incomplete: 'response.incomplete' }[got.final.status];
    assert.equal(got.types.at(-1), last);
    const text = got.final.output.flatMap((item) => item.content ?? []).filter((p) => p.type === 'output_text').map((p) => p.text).join('');
    assert.equal(got.text, text, 'the deltas and the final response');
    return { ...got.final, output_text: text };
  }],
  ['helper', async (openai, params) => {
    const deltas = [];
    const stream = openai.responses.stream(params).on('response.output_text.delta', (event) => deltas.push(event.delta));
    const final = await stream.finalResponse();
    assert.equal(deltas.join(''), final.output_text, 'the deltas and the final response');
    return final;
  }],
];

for (const [form, ask] of forms) {
  test(`text, ${form}`, async () => {
    const got = await ask(echo(), { model: 'm1', input: 'Hello there, 👋 world' });
    assert.equal(got.output_text, 'Hello there, 👋 world');
    assert.equal(got.status, 'completed');
    assert.ok(got.usage.total_tokens === got.usage.input_tokens + got.usage.output_tokens && got.usage.total_tokens > 0);
  });

  test(`messages as the documentation writes them, without a type, ${form}`, async () => {
    const got = await ask(echo(), { model: 'm1', input: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'one' }] },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'two' },
    ] });
    assert.equal(got.output_text, 'two');
  });

  test(`image and file, ${form}`, async () => {
    const got = await ask(scripted(), { model: 'media', input: [{ role: 'user', content: [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    ] }] });
    assert.equal(got.output_text,
      'text What is this?; image data:image/png;base64,iVBORw0KGgo= high; file a.pdf data:application/pdf;base64,JVBERi0=');
  });

  test(`reasoning, ${form}`, async () => {
    if (form === 'helper') {
      // The helper refuses events that OpenAI's own servers do not send, and the protocol has one for reasoning text.
      await assert.rejects(ask(scripted(), { model: 'reasoning', input: 'go' }), /Unhandled response stream event.*response\.reasoning\.delta/);
      return;
    }
    const got = await ask(scripted(), { model: 'reasoning', input: 'go', include: ['reasoning.encrypted_content'], store: false });
    const [reasoning, message] = got.output;
    assert.deepEqual(reasoning.summary.map((p) => p.text), ['First this.', 'Then that.']);
    assert.equal(reasoning.encrypted_content, 'c2VjcmV0');
    assert.equal(message.content[0].text, 'So be it.');
    assert.deepEqual(got.usage.output_tokens_details, { reasoning_tokens: 2 });
    const replayed = await scripted().responses.create({ model: 'media', store: false, input: [...got.output, { role: 'user', content: 'on' }] });
    assert.equal(replayed.output_text, 'text on', 'the output sent back as input');
  });

  test(`refusal, ${form}`, async () => {
    const got = await ask(scripted(), { model: 'refusal', input: 'go' });
    const [part] = got.output[0].content;
    assert.deepEqual([part.type, part.refusal], ['refusal', 'I will not.']);
  });

  test(`citations and log probabilities, ${form}`, async () => {
    const got = await ask(scripted(), { model: 'citations', input: 'go' });
    const [part] = got.output[0].content;
    assert.deepEqual(part.annotations, [{ type: 'url_citation', url: 'https://example.org/', title: 'There', start_index: 4, end_index: 10 }]);
    assert.equal(part.logprobs[0].token, 'See ');
  });

  test(`cut off, ${form}`, async () => {
    const got = await ask(scripted(), { model: 'cut_off', input: 'go' });
    assert.equal(got.status, 'incomplete');
    assert.deepEqual(got.incomplete_details, { reason: 'max_output_tokens' });
  });

  test(`items of unknown types, ${form}`, async () => {
    const got = await ask(scripted(), { model: 'foreign', input: 'go' });
    assert.deepEqual(got.output[0].action, { type: 'search', query: 'weather' });
    assert.equal(got.output[1].content[0].annotations[0].file_id, 'file_1');
  });

  test(`the response repeats the request, ${form}`, async () => {
    const format = { type: 'json_schema', name: 'weather', strict: true, schema: { type: 'object', additionalProperties: false } };
    const got = await ask(scripted(), {
      model: 'structured', input: 'Bern?', instructions: 'Answer in JSON.', metadata: { a: 'b' }, temperature: 0, top_p: 0.5,
      max_output_tokens: 100, parallel_tool_calls: false, tools: [weather], tool_choice: { type: 'function', name: 'get_weather' },
      reasoning: { effort: 'low' }, truncation: 'auto', text: { format, verbosity: 'low' },
    });
    assert.deepEqual(JSON.parse(got.output_text), { city: 'Bern', degrees: 21.5 });
    assert.equal(got.text.format.name, 'weather');
    assert.deepEqual(got.text.format.schema, format.schema);
    assert.deepEqual([got.instructions, got.metadata, got.temperature, got.top_p, got.max_output_tokens, got.parallel_tool_calls, got.truncation],
      ['Answer in JSON.', { a: 'b' }, 0, 0.5, 100, false, 'auto']);
    assert.deepEqual(got.tools[0].parameters, weather.parameters);
    assert.equal(got.tool_choice.name, 'get_weather');
  });

  for (const [how, second] of [
    ['history', (first, output) => ({ input: [{ role: 'user', content: 'Bern' }, ...first.output, output] })],
    ['previous_response_id', (first, output) => ({ input: [output], previous_response_id: first.id })],
  ]) {
    test(`tool round trip by ${how}, ${form}`, async () => {
      const first = await ask(echo(), { model: 'm1', input: 'Bern', tools: [weather] });
      const [call] = first.output;
      assert.equal(call.type, 'function_call');
      assert.deepEqual(JSON.parse(call.arguments), { place: 'Bern' });
      const output = { type: 'function_call_output', call_id: call.call_id, output: 'sunny, 21°' };
      const got = await ask(echo(), { model: 'm1', tools: [weather], ...second(first, output) });
      assert.equal(got.output_text, 'Tool result: sunny, 21°');
    });
  }

  if (form !== 'helper') test(`odd arguments arrive as they are, ${form}`, async () => { // the helper parses them itself
    const got = await ask(scripted(), { model: 'calls', input: 'go' });
    assert.deepEqual(got.output.map((item) => item.arguments),
      ['{"a":1}', '', 'null', '{"a":', '[1]', '"str"', '{"a":1}{"b":2}', '{"emoji":"\\ud83d"}', '{"a":"<&>\\u2028"}']);
  });
}

test('a chain of responses', async () => {
  let previous;
  for (let i = 0; i < 4; i++) {
    const got = await scripted().responses.create({ model: 'media', input: `turn ${i}`, previous_response_id: previous });
    assert.equal(got.output_text, `text turn ${i}`);
    assert.equal(got.previous_response_id, previous ?? null);
    previous = got.id;
  }
});

for (const [name, path, params, status, code, param] of [
  ['no model', '/echo/v1', { input: 'x' }, 400, 'missing_required_parameter', 'model'],
  ['an output without its call', '/echo/v1', { model: 'm1', input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }, 400, 'invalid_value', 'input[0].call_id'],
  ['an unknown previous response', '/echo/v1', { model: 'm1', input: 'x', previous_response_id: 'resp_none' }, 404, 'previous_response_not_found', 'previous_response_id'],
  ['a body over the limit', '/echo/v1', { model: 'm1', input: 'a'.repeat(1 << 20) }, 413, 'request_too_large', null],
  ['status 401', '/scripted/v1', { model: '401', input: 'x' }, 401, 'scripted', 'model'],
  ['status 500', '/scripted/v1', { model: '500', input: 'x' }, 500, 'scripted', 'model'],
]) {
  for (const stream of [false, true]) {
    test(`error for ${name}, ${stream ? 'streamed' : 'whole'}`, async () => {
      await assert.rejects(async () => {
        const got = await client(path).responses.create({ ...params, stream });
        if (stream) await drain(got);
      }, (err) => {
        assert.ok(err instanceof OpenAI.APIError, String(err));
        assert.deepEqual([err.status, err.code, err.param ?? null], [status, code, param]);
        return true;
      });
    });
  }
}

for (const form of ['whole', 'streamed']) {
  test(`a rate limit is waited out as the server says, ${form}`, async (t) => {
    const waits = [];
    const real = globalThis.setTimeout;
    t.mock.method(globalThis, 'setTimeout', (fn, ms, ...args) => {
      if (ms !== 7000) return real(fn, ms, ...args);
      waits.push(ms);
      return real(fn, 0, ...args);
    });
    const params = { model: 'rate_limited', input: 'x', metadata: { key: `node, ${form}` } };
    const openai = scripted({ maxRetries: 1 });
    const text = form === 'whole'
      ? (await openai.responses.create(params)).output_text
      : (await drain(await openai.responses.create({ ...params, stream: true }))).text;
    assert.equal(text, 'attempt 2');
    assert.deepEqual(waits, [7000]);
  });
}

test('a rate limit is not waited out without retries', async () => {
  await assert.rejects(scripted().responses.create({ model: 'rate_limited', input: 'x', metadata: { key: 'node, once' } }),
    (err) => {
      assert.ok(err instanceof OpenAI.RateLimitError, String(err));
      assert.deepEqual([err.status, err.code, err.headers.get('retry-after')], [429, 'slow_down', '7']);
      return true;
    });
});

for (const [model, code, message] of [
  ['fails_late', 'overloaded', /the model is overloaded/],
  ['panics', 'internal_error', /the adapter failed unexpectedly/],
]) {
  test(`an error in the stream, ${model}`, async () => {
    let text = '', terminal;
    await assert.rejects(async () => {
      for await (const event of await scripted({ maxRetries: 2 }).responses.create({ model, input: 'x', stream: true })) {
        if (event.type === 'response.output_text.delta') text += event.delta;
        if (event.response && event.response.status !== 'in_progress') terminal = event;
      }
    }, (err) => {
      assert.ok(err instanceof OpenAI.APIError, String(err));
      assert.equal(err.code, code);
      assert.match(err.message, message);
      return true;
    });
    assert.deepEqual([text, terminal], ['Half a message', undefined]);
  });
}

/** Returns once the adapter is waiting in the request with a key, or saw its end. */
async function adapter(state, key) {
  const seen = await fetch(`${s.url}/${state}/${key}`, { signal: AbortSignal.timeout(10_000) });
  assert.equal(seen.status, 200);
}

const waiting = (key) => ({ model: 'waits', input: 'x', metadata: { key } });

test('a client that leaves ends the request, streamed, by leaving the loop', async () => {
  for await (const event of await scripted().responses.create({ ...waiting('loop'), stream: true })) {
    if (event.type === 'response.output_text.delta') break;
  }
  await adapter('cancelled', 'loop');
});

test('a client that leaves ends the request, streamed, by the helper', async () => {
  const stream = scripted().responses.stream(waiting('helper'));
  stream.on('response.output_text.delta', () => stream.abort());
  await assert.rejects(stream.finalResponse(), OpenAI.APIUserAbortError);
  await adapter('cancelled', 'helper');
});

test('a client that leaves ends the request, whole, by a signal', async () => {
  const leave = new AbortController();
  const answer = scripted().responses.create(waiting('signal'), { signal: leave.signal });
  const refused = assert.rejects(answer, OpenAI.APIUserAbortError);
  await adapter('waiting', 'signal');
  leave.abort();
  await refused;
  await adapter('cancelled', 'signal');
});

test('structured output, parsed by the client', async () => {
  const format = { type: 'json_schema', name: 'weather', strict: true, schema: { type: 'object', additionalProperties: false } };
  const got = await scripted().responses.parse({ model: 'structured', input: 'Bern?', text: { format } });
  assert.deepEqual(got.output_parsed, { city: 'Bern', degrees: 21.5 });
});

test('a conversation that is compacted goes on', async () => {
  const compacted = await echo().responses.compact({ model: 'm1', input: 'remember' });
  assert.equal(compacted.object, 'response.compaction');
  assert.equal(compacted.output[0].type, 'compaction');
  const got = await echo().responses.create({ model: 'm1', input: compacted.output });
  assert.equal(got.output_text, 'remember');
});

test('outputs of parallel calls, in another order and one in parts', async () => {
  const first = await scripted().responses.create({ model: 'calls', input: 'go' });
  const input = first.output.map(({ call_id }, i) => ({
    type: 'function_call_output', call_id,
    output: i === 0 ? [{ type: 'input_text', text: 'in ' }, { type: 'input_text', text: 'parts' }] : `${i}`,
  })).reverse();
  const got = await scripted().responses.create({ model: 'calls', input, previous_response_id: first.id });
  const want = first.output.map(({ call_id }, i) => `${call_id}=${i === 0 ? 'in parts' : i}`).reverse();
  assert.equal(got.output_text, want.join(','));
});
