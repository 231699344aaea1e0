-- Sends the packed copy of a file that the browser accepts, and says how long a file may be kept.
local request = lighty.r
local method = request.req_attr["request.method"]
if method ~= "GET" and method ~= "HEAD" then return 405 end
local path = request.req_attr["physical.path"]:gsub("/$", "/index.html")
local plain = lighty.stat(path)
if not plain or not plain.is_file then return 0 end

local answer = request.resp_header
-- What has a hash in its name never changes; everything else is asked for again each time.
local hash = path:match("%-([%w_-]+)%.%w+$")
answer["Cache-Control"] = hash and #hash >= 8 and "public, max-age=31536000, immutable" or "no-cache"
answer["Vary"] = "Accept-Encoding"
answer["Content-Type"] = plain["content-type"]

local accept = "," .. (request.req_header["Accept-Encoding"] or ""):lower():gsub("%s", "") .. ","
for _, copy in ipairs({ { "br", "br" }, { "gzip", "gz" } }) do
  -- Its name and no longer one that begins like it.
  local weight = accept:match("," .. copy[1] .. "(),") and "" or accept:match("," .. copy[1] .. "(;[^,]*),")
  local refused = weight and weight:match("^;q=0%.?0*$")
  if weight and not refused and lighty.stat(path .. "." .. copy[2]) then
    answer["Content-Encoding"] = copy[1]
    path = path .. "." .. copy[2]
    break
  end
end
request.req_attr["physical.path"] = path
return 0
