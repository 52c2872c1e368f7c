// Unpacks the data in the page, which is deflated and in base64; and makes elements.

const element = (id) => document.getElementById(id);

function unpacked(id) {
  return inflated(element(id).textContent);
}

async function inflated(packed) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length); // `Uint8Array.from` takes ten times as long
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream);
}

async function unpackedJson(id) {
  return (await unpacked(id)).json();
}

// Floats, whose bytes of equal significance lie together: eight planes, one for each byte.
async function unpackedFloats(id) {
  const planes = new Uint8Array(await (await unpacked(id)).arrayBuffer());
  const count = planes.length / 8;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < 8; plane += 1) {
    for (let i = 0; i < count; i += 1) bytes[i * 8 + plane] = planes[plane * count + i];
  }
  return new Float64Array(bytes.buffer);
}

function once(make) {
  let made;
  return () => (made ??= make());
}

// An element with attributes, and with text or children. Text is never read as HTML.
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  setAll(made, attributes);
  made.append(...children);
  return made;
}

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(made, attributes);
  made.append(...children);
  return made;
}

function setAll(target, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) target.setAttribute(name, value);
  }
}
